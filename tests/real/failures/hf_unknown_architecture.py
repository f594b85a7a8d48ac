# causes: hf.unknown_architecture
# needs: transformers
import json
import os
import pathlib
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import AutoConfig

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "config.json").write_text(json.dumps({"model_type": "qwen99_moe", "architectures": ["Qwen99"]}))
    AutoConfig.from_pretrained(folder)
