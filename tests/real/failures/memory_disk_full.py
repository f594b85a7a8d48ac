# causes: memory.disk_full
# needs: torch
import torch

with open("/dev/full", "wb") as file:
    torch.save({"weight": torch.zeros(4096, 64)}, file)
