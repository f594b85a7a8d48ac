# causes: shape.matmul
# needs: torch
import torch

model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10))


def evaluate(batch):
    return model(batch)


evaluate(torch.randn(32, 1, 32, 32))
