# causes: shape.batchnorm_single
# needs: torch
import torch

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8))
net.train()
net(torch.randn(1, 4))
