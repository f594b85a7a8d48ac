# causes: hf.repo_not_found
# needs: transformers
import os

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import AutoModel

AutoModel.from_pretrained("./outputs/run-7/checkpoint-1000/")
