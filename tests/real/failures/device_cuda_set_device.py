# causes: cuda.cpu_only_build cuda.no_driver cuda.no_device_visible
# needs: torch
import torch


def setup(rank):
    torch.cuda.set_device(rank)


setup(1)
