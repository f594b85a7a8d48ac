# causes: cuda.cpu_only_build
# needs: torch
import torch


def setup(rank):
    torch.cuda.set_device(rank)


setup(1)
