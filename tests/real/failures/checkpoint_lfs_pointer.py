# causes: checkpoint.corrupt
# needs: torch
import pathlib
import tempfile

import torch

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "pytorch_model.bin"
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 440473133\n")
    torch.load(path)
