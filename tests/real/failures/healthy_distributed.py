# causes: none
# needs: torch
import pathlib
import subprocess
import sys
import tempfile

CODE = """
import torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
net = DistributedDataParallel(torch.nn.Linear(4, 4))
for step in range(3):
    loss = net(torch.ones(2, 4)).sum()
    loss.backward()
    if dist.get_rank() == 0:
        print("step", step, "loss", round(loss.item(), 3))
dist.barrier()
print("rank", dist.get_rank(), "finished")
"""
with tempfile.TemporaryDirectory() as folder:
    script = pathlib.Path(folder) / "train.py"
    script.write_text(CODE)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", str(script)]
    sys.exit(subprocess.call(command))
