# causes: device.backend_unavailable
# needs: torch
import torch

torch.zeros(1, device="xpu")
