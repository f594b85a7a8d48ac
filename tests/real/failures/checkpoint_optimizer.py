# causes: checkpoint.optimizer_state
# needs: torch
import torch

a, b = torch.nn.Linear(2, 2), torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2))
torch.optim.Adam(b.parameters()).load_state_dict(torch.optim.Adam(a.parameters()).state_dict())
