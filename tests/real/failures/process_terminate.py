# causes: process.native_crash
# needs:
# tools: g++
import subprocess
import sys
import tempfile

CODE = """#include <stdexcept>
int main() { throw std::runtime_error("engine state is not valid"); }
"""
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/m.cpp", "w") as file:
        file.write(CODE)
    subprocess.run(["g++", f"{folder}/m.cpp", "-o", f"{folder}/m"], check=True)
    sys.exit(subprocess.run(["bash", "-c", f"{folder}/m; echo exit status $?; exit 134"]).returncode)
