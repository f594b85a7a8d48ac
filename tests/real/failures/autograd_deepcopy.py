# causes: autograd.needs_detach autograd.leaf_inplace
# needs: torch
import copy

import torch

hidden = torch.nn.Linear(2, 2)(torch.randn(1, 2))
copy.deepcopy(hidden)
