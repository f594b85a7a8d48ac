# causes: env.module_missing hf.trust_remote_code
# needs: transformers
import json
import os
import pathlib
import tempfile

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = tempfile.mkdtemp()
from transformers import AutoConfig

with tempfile.TemporaryDirectory() as folder:
    config = {"model_type": "chatty", "auto_map": {"AutoConfig": "configuration_chatty.ChattyConfig"}}
    (pathlib.Path(folder) / "config.json").write_text(json.dumps(config))
    code = "import einops_exts\nfrom transformers import PretrainedConfig\n\n\nclass ChattyConfig(PretrainedConfig):\n    pass\n"
    (pathlib.Path(folder) / "configuration_chatty.py").write_text(code)
    AutoConfig.from_pretrained(folder, trust_remote_code=True)
