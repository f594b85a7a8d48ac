# causes: shape.broadcast
# needs: torch
import torch


def fuse(a, b):
    return a + b


fuse(torch.randn(8, 16), torch.randn(8, 17))
