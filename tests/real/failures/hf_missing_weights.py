# causes: checkpoint.missing_file hf.repo_not_found
# needs: torch transformers
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import BertConfig, BertModel

folder = tempfile.mkdtemp()
BertConfig(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16).save_pretrained(folder)
BertModel.from_pretrained(folder)
