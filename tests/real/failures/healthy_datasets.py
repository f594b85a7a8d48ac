# causes: none
# needs: datasets
import os
import pathlib
import tempfile

home = tempfile.mkdtemp()
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = home
from datasets import load_dataset

path = pathlib.Path(home) / "train.jsonl"
path.write_text('{"text": "the story begins where the error ended", "label": 1}\n' * 20)
rows = load_dataset("json", data_files=str(path), split="train").map(lambda row: {"length": len(row["text"])})
print(rows, rows[0])
