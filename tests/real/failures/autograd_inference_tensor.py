# causes: autograd.inference_tensor
# needs: torch
import torch

with torch.inference_mode():
    x = torch.randn(3)
w = torch.randn(3, requires_grad=True)
(w * x).sum().backward()
