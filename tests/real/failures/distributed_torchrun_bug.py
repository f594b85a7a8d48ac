# causes: user_code.bug
# needs: torch
import pathlib
import subprocess
import sys
import tempfile

CODE = """
import os
import torch.distributed as dist

def main():
    dist.init_process_group("gloo")
    limits = {"lr": 0.1}
    if dist.get_rank() == 1:
        print(limits["weight_decay"])
    dist.barrier()

main()
"""
with tempfile.TemporaryDirectory() as folder:
    script = pathlib.Path(folder) / "train.py"
    script.write_text(CODE)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", str(script)]
    sys.exit(subprocess.call(command))
