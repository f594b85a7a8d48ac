# causes: distributed.unused_parameters
# needs: torch
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="0", RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.used, self.unused = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, x):
        return self.used(x)


net = DistributedDataParallel(Net())
for _ in range(2):
    net(torch.randn(2, 4)).sum().backward()
