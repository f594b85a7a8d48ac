# causes: process.native_crash
# needs:
# tools: gcc
import subprocess
import tempfile

CODE = "#include <stdlib.h>\nint main(int n, char **v) { int *a = malloc(8 * sizeof(int)); return a[8 + n]; }\n"
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/m.c", "w") as file:
        file.write(CODE)
    subprocess.run(["gcc", "-g", "-fsanitize=address", f"{folder}/m.c", "-o", f"{folder}/m"], check=True)
    subprocess.run([f"{folder}/m"], check=True)
