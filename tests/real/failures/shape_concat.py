# causes: shape.concat_stack
# needs: torch
import torch


def gather(parts):
    return torch.cat(parts, dim=0)


gather([torch.randn(4, 8), torch.randn(4, 9)])
