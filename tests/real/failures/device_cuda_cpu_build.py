# causes: cuda.cpu_only_build cuda.no_driver cuda.no_device_visible
# needs: torch
import torch


def main():
    model = torch.nn.Linear(2, 2)
    model.cuda()


main()
