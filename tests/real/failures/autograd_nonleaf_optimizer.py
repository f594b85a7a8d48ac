# causes: autograd.leaf_inplace
# needs: torch
import torch

weight = torch.randn(3, requires_grad=True) * 0.01
torch.optim.SGD([weight], lr=0.1)
