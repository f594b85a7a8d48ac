# causes: distributed.peer_died user_code.bug
# needs: torch
import os
import subprocess
import sys

CODE = """
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
dist.all_reduce(torch.ones(4))
if dist.get_rank() == 1:
    os._exit(3)
dist.all_reduce(torch.ones(4))
"""
base = os.environ | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(20000 + os.getpid() % 20000), "WORLD_SIZE": "2"}
ranks = [subprocess.Popen([sys.executable, "-c", CODE], env=base | {"RANK": str(rank)}) for rank in range(2)]
sys.exit(max(rank.wait() for rank in ranks))
