# causes: abi.build_dependency
# needs:
# tools: gcc
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "bindings.c"
    source.write_text("#include <Python.h>\n#include <numa.h>\n\nint main(void) { return numa_available(); }\n")
    sys.exit(subprocess.call(["gcc", "-O2", "-c", str(source), "-o", f"{folder}/bindings.o"]))
