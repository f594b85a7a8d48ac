# causes: dtype.not_implemented
# needs: torch
import torch

torch.randint(0, 5, (3,)).softmax(0)
