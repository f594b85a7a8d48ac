# causes: shape.loss_target
# needs: torch
import torch

loss = torch.nn.CrossEntropyLoss()
loss(torch.randn(16, 10), torch.zeros(15, dtype=torch.long))
