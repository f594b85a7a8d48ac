# causes: checkpoint.corrupt
# needs: torch
import pathlib
import tempfile

import torch

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "last.ckpt"
    path.touch()
    torch.load(path)
