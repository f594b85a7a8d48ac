# causes: device.tensor_mismatch checkpoint.meta_tensor
# needs: torch
import torch

with torch.device("meta"):
    net = torch.nn.Linear(4, 4)
print(net(torch.randn(2, 4)).sum().item())
