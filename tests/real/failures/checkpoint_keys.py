# causes: checkpoint.key_mismatch
# needs: torch
import torch

net = torch.nn.Sequential(torch.nn.Linear(2, 2))
state = {f"module.{key}": value for key, value in net.state_dict().items()}
net.load_state_dict(state)
