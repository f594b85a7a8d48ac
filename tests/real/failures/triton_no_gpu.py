# causes: cuda.no_device_visible device.backend_unavailable
# needs: torch triton
import torch
import triton
import triton.language as tl


@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, at < n) * 2, at < n)


double[(1,)](torch.ones(8), 8, BLOCK=8)
