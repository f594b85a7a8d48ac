# causes: shape.attention_mask shape.broadcast
# needs: torch
import torch

q = torch.randn(1, 4, 10, 16)
torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=torch.zeros(1, 4, 10, 11))
