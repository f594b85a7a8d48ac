# causes: shape.view_reshape
# needs: torch
import torch

torch.randn(3, 7).reshape(4, 5)
