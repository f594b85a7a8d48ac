# causes: hf.offline_not_cached
# needs: datasets
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp()
from datasets import load_dataset

load_dataset("imdb", split="train")
