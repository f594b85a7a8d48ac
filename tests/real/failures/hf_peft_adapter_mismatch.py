# causes: hf.peft_target checkpoint.size_mismatch
# needs: torch transformers peft
import tempfile

from peft import LoraConfig, PeftModel, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel


def base(width):
    return GPT2LMHeadModel(GPT2Config(n_layer=1, n_head=2, n_embd=width, vocab_size=32, n_positions=16))


with tempfile.TemporaryDirectory() as folder:
    get_peft_model(base(8), LoraConfig(target_modules=["c_attn"], r=2)).save_pretrained(folder)
    PeftModel.from_pretrained(base(16), folder)
