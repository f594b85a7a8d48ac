# causes: memory.host_oom
# needs:
# tools: g++
import subprocess
import tempfile

CODE = "#include <vector>\nint main() { std::vector<double> v; v.resize(1ull << 50); return v[1]; }\n"
with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/m.cpp", "w") as file:
        file.write(CODE)
    subprocess.run(["g++", f"{folder}/m.cpp", "-o", f"{folder}/m"], check=True)
    subprocess.run([f"{folder}/m"], check=True)
