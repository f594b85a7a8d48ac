# causes: shape.conv_channels
# needs: torch
import torch

net = torch.nn.Conv2d(3, 16, 3)
net(torch.randn(4, 1, 28, 28))
