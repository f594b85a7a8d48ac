# causes: none
# needs: torch safetensors
import pathlib
import tempfile

import torch
from safetensors.torch import load_file, save_file

net = torch.nn.Linear(4, 2)
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.safetensors"
    save_file(net.state_dict(), path)
    print("saved", path.name, path.stat().st_size, "bytes")
    print(net.load_state_dict(load_file(path)))
    torch.save(net, path.with_suffix(".pt"))
    print(torch.load(path.with_suffix(".pt"), weights_only=False))
