# causes: distributed.launcher_config
# needs: torch
import torch.distributed as dist

dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29555", world_size=2)
