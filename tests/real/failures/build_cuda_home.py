# causes: abi.cuda_home_missing
# needs: torch
import os
import pathlib
import tempfile

for name in ("CUDA_HOME", "CUDA_PATH"):
    os.environ.pop(name, None)
os.environ["PATH"] = "/usr/bin:/bin"
os.environ["TORCH_EXTENSIONS_DIR"] = tempfile.mkdtemp()
os.environ["TORCH_CUDA_ARCH_LIST"] = "8.0"
from torch.utils import cpp_extension

with tempfile.TemporaryDirectory() as folder:
    kernel = pathlib.Path(folder) / "kernel.cu"
    kernel.write_text("__global__ void nothing() {}\n")
    cpp_extension.load("kernel_ext", [str(kernel)])
