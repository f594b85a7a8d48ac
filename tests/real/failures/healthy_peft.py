# causes: none
# needs: torch transformers peft
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=16))
get_peft_model(model, LoraConfig(target_modules=["c_attn"], r=2)).print_trainable_parameters()
