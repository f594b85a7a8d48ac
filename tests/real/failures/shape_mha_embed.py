# causes: shape.input_contract shape.matmul shape.attention_mask
# needs: torch
import torch

torch.nn.MultiheadAttention(32, 4)(torch.randn(5, 2, 16), torch.randn(5, 2, 16), torch.randn(5, 2, 16))
