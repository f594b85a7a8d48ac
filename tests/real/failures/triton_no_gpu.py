# causes: device.backend_unavailable cuda.no_device_visible cuda.no_driver triton.libcuda_not_found triton.not_installed
# needs: torch triton
import torch
import triton
import triton.language as tl


@triton.jit
def double(x, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, at < n) * 2, at < n)


double[(1,)](torch.ones(8), 8, BLOCK=8)
