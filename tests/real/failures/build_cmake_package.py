# causes: abi.build_dependency
# needs:
# tools: cmake g++
import pathlib
import subprocess
import sys
import tempfile

TEXT = """cmake_minimum_required(VERSION 3.18)
project(kernels LANGUAGES CXX)
find_package(Torch REQUIRED)
add_library(kernels SHARED kernels.cpp)
"""
with tempfile.TemporaryDirectory() as folder:
    (pathlib.Path(folder) / "CMakeLists.txt").write_text(TEXT)
    sys.exit(subprocess.call(["cmake", "-S", folder, "-B", f"{folder}/build"]))
