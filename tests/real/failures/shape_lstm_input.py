# causes: shape.matmul shape.input_contract
# needs: torch
import torch

torch.nn.LSTM(16, 8)(torch.randn(5, 2, 12))
