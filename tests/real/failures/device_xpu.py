# causes: device.backend_unavailable device.xpu_setup
# needs: torch
import torch

torch.randn(4, device="xpu")
