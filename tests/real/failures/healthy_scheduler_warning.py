# causes: none
# needs: torch
import torch

net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
for epoch in range(3):
    scheduler.step()
    net(torch.randn(4, 2)).sum().backward()
    optimizer.step()
    print(f"epoch {epoch} lr {scheduler.get_last_lr()[0]:.5f}")
print("done")
