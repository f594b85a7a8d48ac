# causes: shape.conv_channels
# needs: torch
import torch

torch.nn.Conv2d(3, 8, 7)(torch.randn(1, 3, 4, 4))
