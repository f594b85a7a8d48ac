# causes: none
# needs: torch transformers
import torch
from transformers import GPT2Config, GPT2LMHeadModel

config = GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=64, bos_token_id=1, eos_token_id=2)
model = GPT2LMHeadModel(config).eval()
print(model.generate(torch.ones(1, 3, dtype=torch.long), max_new_tokens=8, temperature=0.7).tolist())
