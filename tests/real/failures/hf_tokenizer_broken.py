# causes: hf.tokenizer_convert checkpoint.corrupt
# needs: transformers tokenizers
import os
import pathlib
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from tokenizers import Tokenizer

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "tokenizer.json"
    path.write_text('{"version": "1.0", "model": {"type": "BPE2", "vocab": {}, "merges": []}}')
    Tokenizer.from_file(str(path))
