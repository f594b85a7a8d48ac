# causes: abi.build_dependency
# needs: torch ninja
# tools: g++
import os
import pathlib
import tempfile

folder = tempfile.mkdtemp()
os.environ["TORCH_EXTENSIONS_DIR"] = folder
from torch.utils.cpp_extension import load

source = pathlib.Path(folder) / "kernels.cpp"
source.write_text("#include <cutlass/cutlass.h>\n#include <torch/extension.h>\n\nint one() { return 1; }\n")
load("kernels_ext", [str(source)])
