# causes: hf.trust_remote_code
# needs: transformers
import json
import os
import pathlib
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
from transformers import AutoConfig

with tempfile.TemporaryDirectory() as folder:
    config = {"model_type": "chatty", "auto_map": {"AutoConfig": "configuration_chatty.ChattyConfig"}}
    (pathlib.Path(folder) / "config.json").write_text(json.dumps(config))
    AutoConfig.from_pretrained(folder, trust_remote_code=False)
