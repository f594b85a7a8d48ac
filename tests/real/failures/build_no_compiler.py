# causes: abi.host_compiler
# needs: torch ninja
import os
import tempfile

os.environ["TORCH_EXTENSIONS_DIR"] = tempfile.mkdtemp()
os.environ["CXX"] = "g++-99"
from torch.utils.cpp_extension import load_inline

load_inline("one_ext", "#include <torch/extension.h>\nint one() { return 1; }\n", functions=["one"])
