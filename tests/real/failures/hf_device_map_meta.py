# causes: hf.device_map_offload checkpoint.meta_tensor
# needs: torch transformers accelerate
from accelerate import init_empty_weights
from transformers import GPT2Config, GPT2LMHeadModel

with init_empty_weights():
    model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=16))
model.to("cpu")
