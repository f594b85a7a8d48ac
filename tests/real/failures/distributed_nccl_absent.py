# causes: distributed.launcher_config distributed.nccl_version device.backend_unavailable cuda.cpu_only_build cuda.no_device_visible
# needs: torch
import os

import torch.distributed as dist

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(20000 + os.getpid() % 20000), RANK="0", WORLD_SIZE="1")
dist.init_process_group("nccl")
