# causes: abi.host_compiler triton.no_c_compiler
# needs: torch
import os

os.environ["CXX"] = "/nonexistent/g++"
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import torch


@torch.compile
def step(x):
    return torch.sin(x) + 1


step(torch.randn(8))
