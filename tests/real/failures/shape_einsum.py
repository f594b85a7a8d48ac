# causes: shape.matmul shape.broadcast
# needs: torch
import torch

torch.einsum("bij,bjk->bik", torch.randn(2, 3, 4), torch.randn(2, 5, 6))
