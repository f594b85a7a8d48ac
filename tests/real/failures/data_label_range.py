# causes: data.label_range
# needs: torch
import torch

torch.nn.functional.cross_entropy(torch.randn(4, 3), torch.tensor([0, 1, 2, 3]))
