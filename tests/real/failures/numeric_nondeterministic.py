# causes: numeric.nondeterminism
# needs: torch
import torch

torch.use_deterministic_algorithms(True)
values = torch.zeros(4, requires_grad=True)
out = torch.zeros(4).put_(torch.tensor([0, 1]), torch.ones(2), accumulate=False)
pooled = torch.nn.functional.max_unpool2d(torch.randn(1, 1, 2, 2), torch.tensor([[[[0, 1], [2, 3]]]]), 2)
