# causes: hf.peft_target hf.repo_not_found hf.offline_not_cached checkpoint.missing_file
# needs: torch transformers peft
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from peft import PeftModel
from transformers import GPT2Config, GPT2LMHeadModel

model = GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=8, vocab_size=32, n_positions=16))
with tempfile.TemporaryDirectory() as folder:
    PeftModel.from_pretrained(model, folder)
