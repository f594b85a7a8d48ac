# causes: autograd.no_grad distributed.unused_parameters
# needs: torch
import torch

x, y = torch.randn(2, requires_grad=True), torch.randn(2, requires_grad=True)
torch.autograd.grad((x * 2).sum(), [x, y])
