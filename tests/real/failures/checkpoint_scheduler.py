# causes: checkpoint.optimizer_state
# needs: torch
import torch

small, large = torch.nn.Linear(2, 2), torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(small.parameters())
small(torch.randn(1, 2)).sum().backward()
optimizer.step()
fresh = torch.optim.AdamW(large.parameters())
fresh.load_state_dict(optimizer.state_dict())
large(torch.randn(1, 4)).sum().backward()
fresh.step()
