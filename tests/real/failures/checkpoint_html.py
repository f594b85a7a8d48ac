# causes: checkpoint.corrupt
# needs: torch
import pathlib
import tempfile

import torch

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.pt"
    path.write_text("<!DOCTYPE html>\n<html><body>404 Not Found</body></html>\n")
    torch.load(path)
