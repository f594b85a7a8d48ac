# causes: compile.recompile_limit
# needs: torch
import os

os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
import torch

torch._dynamo.config.error_on_recompile = False


@torch.compile(backend="eager", dynamic=False)
def step(x):
    return x * x.shape[0]


for size in range(2, 14):
    step(torch.ones(size))
