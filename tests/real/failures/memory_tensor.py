# causes: memory.host_oom
# needs: torch
import torch

torch.empty(1 << 45)
