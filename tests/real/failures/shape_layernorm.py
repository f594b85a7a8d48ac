# causes: shape.input_contract shape.matmul shape.broadcast
# needs: torch
import torch

torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.LayerNorm(16))(torch.randn(2, 8))
