# causes: numeric.gradscaler_misuse
# needs: torch
import torch

net, other = torch.nn.Linear(4, 2), torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(other.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(net(torch.randn(3, 4)).sum()).backward()
scaler.step(optimizer)
scaler.update()
