# causes: dtype.autocast dtype.mismatch
# needs: torch
import torch

with torch.autocast("cpu", dtype=torch.bfloat16):
    hidden = torch.nn.Linear(4, 4)(torch.randn(2, 4))
buffer = torch.zeros(2, 4)
buffer.index_copy_(0, torch.tensor([0, 1]), hidden)
