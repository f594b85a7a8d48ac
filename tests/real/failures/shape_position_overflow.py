# causes: shape.position_overflow data.label_range
# needs: torch transformers
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=16))
model(torch.ones(1, 40, dtype=torch.long))
