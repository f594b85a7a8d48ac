# causes: hf.offline_not_cached
# needs: transformers
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp()
from transformers import AutoTokenizer

AutoTokenizer.from_pretrained("bert-base-uncased")
