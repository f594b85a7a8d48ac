# causes: checkpoint.meta_tensor
# needs: torch
import torch

with torch.device("meta"):
    net = torch.nn.Linear(4, 4)
net.to("cpu")
