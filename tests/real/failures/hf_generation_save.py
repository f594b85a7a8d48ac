# causes: hf.generation_config
# needs: torch transformers
import tempfile

from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=32))
model.generation_config.temperature = 0.7
model.generation_config.do_sample = False
model.save_pretrained(tempfile.mkdtemp())
