# causes: hf.generation_config hf.unexpected_argument
# needs: torch transformers
import torch
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=32))
model.generate(torch.ones(1, 3, dtype=torch.long), max_new_token=4)
