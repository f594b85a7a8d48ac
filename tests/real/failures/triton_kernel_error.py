# causes: triton.kernel_error
# needs: torch triton
import os

os.environ["TRITON_INTERPRET"] = "1"
import torch
import triton
import triton.language as tl


@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) + tl.zeros((3,), tl.float32))


double[(1,)](torch.ones(8), 8, BLOCK=8)
