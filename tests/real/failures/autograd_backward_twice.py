# causes: autograd.backward_twice
# needs: torch
import torch

w = torch.randn(3, requires_grad=True)
loss = (w * w).sum()
loss.backward()
loss.backward()
