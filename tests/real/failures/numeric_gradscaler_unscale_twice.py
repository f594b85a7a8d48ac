# causes: numeric.gradscaler_misuse
# needs: torch
import torch

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(net(torch.randn(3, 4)).sum()).backward()
scaler.unscale_(optimizer)
torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
scaler.unscale_(optimizer)
scaler.step(optimizer)
