# causes: numeric.grad_explosion numeric.invalid_math
# needs: torch
import torch

net = torch.nn.Linear(4, 1)
for step in range(3):
    loss = (net(torch.full((2, 4), 1e30)) ** 2).mean()
    loss.backward()
    print(f"step {step} loss {loss.item()}")
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=True)
