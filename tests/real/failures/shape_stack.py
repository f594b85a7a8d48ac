# causes: shape.concat_stack
# needs: torch
import torch

torch.stack([torch.zeros(3, 32, 32), torch.zeros(1, 32, 32)])
