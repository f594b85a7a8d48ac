# causes: abi.build_dependency env.system_library_missing abi.host_compiler
# needs:
# tools: gcc
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "serve.c"
    source.write_text("int main(void) { return 0; }\n")
    sys.exit(subprocess.call(["gcc", str(source), "-o", f"{folder}/serve", "-lcudart_of_yore"]))
