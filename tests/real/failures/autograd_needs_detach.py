# causes: autograd.needs_detach
# needs: torch
import torch

torch.nn.Linear(2, 2)(torch.randn(1, 2)).numpy()
