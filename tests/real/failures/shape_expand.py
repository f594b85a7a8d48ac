# causes: shape.broadcast shape.view_reshape
# needs: torch
import torch

torch.zeros(4, 3).expand(4, 5)
