# causes: hf.dataset_loading
# needs: datasets
import os
import pathlib
import tempfile

home = tempfile.mkdtemp()
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = home
from datasets import load_dataset

path = pathlib.Path(home) / "train.jsonl"
path.write_text('{"text": "one"}\n')
load_dataset("json", data_files=str(path), split="validation")
