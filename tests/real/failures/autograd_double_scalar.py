# causes: shape.loss_target
# needs: torch
import torch

loss = (torch.randn(4, requires_grad=True) * 2) ** 2
loss.backward()
