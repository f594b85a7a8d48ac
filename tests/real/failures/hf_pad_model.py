# causes: hf.pad_token
# needs: torch transformers
import torch
from transformers import GPT2Config, GPT2ForSequenceClassification

model = GPT2ForSequenceClassification(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=16))
model(torch.ones(4, 6, dtype=torch.long))
