# causes: process.native_crash
# needs:
# tools: gcc
import subprocess
import sys
import tempfile

CODE = "#include <stdlib.h>\nint main(void) { char *volatile a = malloc(64); free(a); free(a); return 0; }\n"
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/m.c", "w") as file:
        file.write(CODE)
    subprocess.run(["gcc", "-w", f"{folder}/m.c", "-o", f"{folder}/m"], check=True)
    subprocess.run([f"{folder}/m"], check=True)
