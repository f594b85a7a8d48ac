# causes: env.module_missing checkpoint.format_version
# needs: torch
import pathlib
import sys
import tempfile
import types

import torch

module = types.ModuleType("old_models")


class Net(torch.nn.Module):
    pass


Net.__module__ = "old_models"
module.Net = Net
sys.modules["old_models"] = module
with tempfile.TemporaryDirectory() as folder:
    torch.save(Net(), pathlib.Path(folder) / "net.pt")
    del sys.modules["old_models"]
    torch.load(pathlib.Path(folder) / "net.pt", weights_only=False)
