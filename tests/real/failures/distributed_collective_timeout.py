# causes: distributed.collective_timeout
# needs: torch
import os
import subprocess
import sys

CODE = """
import datetime, time, torch, torch.distributed as dist
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=4))
dist.barrier()
if dist.get_rank() == 1:
    time.sleep(10)
else:
    dist.all_reduce(torch.ones(4))
"""
base = os.environ | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(20000 + os.getpid() % 20000), "WORLD_SIZE": "2"}
ranks = [subprocess.Popen([sys.executable, "-c", CODE], env=base | {"RANK": str(rank)}) for rank in range(2)]
sys.exit(max(rank.wait() for rank in ranks))
