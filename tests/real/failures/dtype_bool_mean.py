# causes: dtype.not_implemented dtype.mismatch
# needs: torch
import torch

labels = torch.tensor([1, 0, 1])
print((labels == 1).mean())
