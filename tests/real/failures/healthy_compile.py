# causes: none
# needs: torch
import torch


@torch.compile(backend="aot_eager")
def step(x):
    print("graph break here")
    return torch.sin(x) + 1


for _ in range(3):
    print(step(torch.ones(4)))
