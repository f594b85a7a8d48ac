# causes: numeric.gradscaler_misuse dtype.autocast
# needs: torch
import torch

net = torch.nn.Linear(4, 2).half()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
scaler.scale(net(torch.randn(3, 4).half()).sum()).backward()
scaler.unscale_(optimizer)
