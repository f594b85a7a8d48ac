# causes: abi.illegal_instruction
# needs:
# tools: gcc
import ctypes
import pathlib
import subprocess
import tempfile

with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "kernel.c").write_text("void amx_kernel(void) { __builtin_trap(); }\n")
    subprocess.run(["gcc", "-shared", "-fPIC", f"{folder}/kernel.c", "-o", f"{folder}/kernel.so"], check=True)
    ctypes.CDLL(f"{folder}/kernel.so").amx_kernel()
