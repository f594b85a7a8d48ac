# causes: abi.build_dependency
# needs: torch ninja
# tools: g++
import os
import tempfile

os.environ["TORCH_EXTENSIONS_DIR"] = tempfile.mkdtemp()
from torch.utils.cpp_extension import load_inline

SOURCE = """
#include <torch/extension.h>
#include <cutlass/cutlass.h>
torch::Tensor twice(torch::Tensor x) { return x + x; }
"""
load_inline("twice_ext", SOURCE, functions=["twice"])
