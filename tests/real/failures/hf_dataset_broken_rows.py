# causes: hf.dataset_loading data.corrupt_sample
# needs: datasets
import os
import pathlib
import tempfile

home = tempfile.mkdtemp()
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = home
from datasets import load_dataset

path = pathlib.Path(home) / "train.csv"
path.write_text("text,label\nhello,1\nworld,2,3,4\n")
load_dataset("csv", data_files=str(path), split="train")
