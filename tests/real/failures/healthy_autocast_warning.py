# causes: none
# needs: torch
import torch

scaler = torch.cuda.amp.GradScaler()
with torch.cuda.amp.autocast():
    out = torch.nn.Linear(4, 2)(torch.randn(3, 4))
print(out.shape, scaler.is_enabled())
