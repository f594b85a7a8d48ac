# causes: env.permission
# needs:
import os
import pathlib
import subprocess
import sys
import tempfile

CODE = """
import os, pathlib, sys
if os.getuid() == 0:
    os.setuid(65534)
pathlib.Path(sys.argv[1], "epoch_1.pt").write_bytes(b"weights")
"""
with tempfile.TemporaryDirectory() as folder:
    locked = pathlib.Path(folder) / "checkpoints"
    locked.mkdir()
    os.chmod(folder, 0o755)
    os.chmod(locked, 0o555)
    sys.exit(subprocess.call([sys.executable, "-c", CODE, str(locked)]))
