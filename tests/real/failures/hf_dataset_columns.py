# causes: hf.dataset_loading
# needs: datasets
import os
import pathlib
import tempfile

home = tempfile.mkdtemp()
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = home
from datasets import load_dataset

folder = pathlib.Path(home) / "data"
folder.mkdir()
(folder / "a.jsonl").write_text('{"text": "one", "label": 1}\n')
(folder / "b.jsonl").write_text('{"text": "one", "label": 1, "lang": "en"}\n')
load_dataset("json", data_files=[str(folder / "a.jsonl"), str(folder / "b.jsonl")], split="train")
