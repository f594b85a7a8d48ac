# causes: distributed.launcher_config
# needs: torch
import torch.distributed as dist


def sync():
    dist.barrier()


sync()
