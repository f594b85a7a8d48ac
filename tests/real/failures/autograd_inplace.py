# causes: autograd.inplace
# needs: torch
import torch

w = torch.randn(3, requires_grad=True)
y = w.exp()
y += 1
y.sum().backward()
