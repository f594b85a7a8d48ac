# causes: memory.host_oom
# needs: torch
import pathlib
import subprocess
import sys
import tempfile

CODE = """
import os
import signal

if os.environ["RANK"] == "0":
    os.kill(os.getpid(), signal.SIGKILL)
"""
with tempfile.TemporaryDirectory() as folder:
    script = pathlib.Path(folder) / "train.py"
    script.write_text(CODE)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", str(script)]
    sys.exit(subprocess.call(command))
