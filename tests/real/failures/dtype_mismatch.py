# causes: dtype.mismatch
# needs: torch
import torch

layer = torch.nn.Linear(8, 8)
layer(torch.randn(2, 8, dtype=torch.float64))
