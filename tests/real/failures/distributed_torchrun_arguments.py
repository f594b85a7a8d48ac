# causes: distributed.launcher_config
# needs: torch
import subprocess
import sys

sys.exit(subprocess.call([sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=gpus", "train.py"]))
