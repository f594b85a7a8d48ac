# causes: abi.python_version
# needs: pip
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    wheel = pathlib.Path(folder) / "flash_attn-2.5.8+cu122torch2.3-cp38-cp38-manylinux_2_17_x86_64.whl"
    wheel.write_bytes(b"")
    sys.exit(subprocess.call([sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", str(wheel)]))
