# causes: checkpoint.corrupt
# needs: torch
import io

import torch

buffer = io.BytesIO()
torch.save({"w": torch.randn(100)}, buffer)
torch.load(io.BytesIO(buffer.getvalue()[:600]))
