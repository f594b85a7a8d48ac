# causes: hf.unknown_architecture hf.repo_not_found checkpoint.missing_file
# needs: transformers
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import AutoModelForCausalLM

with tempfile.TemporaryDirectory() as folder:
    AutoModelForCausalLM.from_pretrained(folder)
