# causes: checkpoint.size_mismatch
# needs: torch
import torch

torch.nn.Linear(4, 10).load_state_dict(torch.nn.Linear(4, 100).state_dict())
