# causes: cuda.cpu_only_build
# needs: torch
import torch


def main():
    model = torch.nn.Linear(2, 2)
    model.cuda()


main()
