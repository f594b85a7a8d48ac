# causes: shape.matmul
# needs: torch
import torch


@torch.compile(backend="eager")
def forward(x, w):
    return torch.relu(x @ w)


forward(torch.randn(8, 16), torch.randn(8, 16))
