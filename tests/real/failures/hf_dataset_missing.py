# causes: hf.dataset_loading data.missing_file hf.repo_not_found
# needs: datasets
import os
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp()
from datasets import load_dataset

load_dataset("json", data_files="/data/corpus/train.jsonl")
