# causes: data.label_range shape.position_overflow
# needs: torch
import torch

torch.nn.Embedding(100, 8)(torch.tensor([[1, 100]]))
