# causes: checkpoint.corrupt
# needs: torch safetensors
import pathlib
import tempfile

import torch
from safetensors.torch import load_file, save_file

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.safetensors"
    save_file({"weight": torch.zeros(64, 64)}, path)
    path.write_bytes(path.read_bytes()[:5000])
    load_file(path)
