# causes: autograd.no_grad
# needs: torch
import torch

with torch.no_grad():
    loss = torch.nn.Linear(2, 1)(torch.randn(4, 2)).mean()
loss.backward()
