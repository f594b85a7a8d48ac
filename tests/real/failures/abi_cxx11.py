# causes: abi.cxx11_abi abi.undefined_symbol
# needs: torch
# tools: g++
import ctypes
import pathlib
import subprocess
import tempfile

import torch

SOURCE = """
namespace c10 { struct Error; namespace detail {
void torchCheckFail(const char*, const char*, unsigned, void*); } }
extern "C" void _ZN3c106detail14torchCheckFailEPKcS2_jRKSs(void);
extern "C" void go() { _ZN3c106detail14torchCheckFailEPKcS2_jRKSs(); }
"""
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "ext.cpp").write_text(SOURCE)
    target = f"{folder}/flash_attn_2_cuda.so"
    subprocess.run(["g++", "-shared", "-fPIC", "-Wl,-z,now", f"{folder}/ext.cpp", "-o", target], check=True)
    ctypes.CDLL(target)
