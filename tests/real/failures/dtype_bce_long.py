# causes: dtype.mismatch
# needs: torch
import torch

torch.nn.BCELoss()(torch.sigmoid(torch.randn(4)), torch.ones(4, dtype=torch.long))
