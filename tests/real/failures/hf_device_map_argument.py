# causes: hf.device_map_offload user_code.config
# needs: torch transformers accelerate
import tempfile

from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel

with tempfile.TemporaryDirectory() as folder:
    GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=16)).save_pretrained(folder)
    AutoModelForCausalLM.from_pretrained(folder, device_map="automatic")
