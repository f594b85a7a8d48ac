# causes: distributed.rendezvous
# needs: torch
import datetime
import os
import socket

import torch.distributed as dist

with socket.create_server(("127.0.0.1", 0)) as server:
    port = server.getsockname()[1]
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK="1", WORLD_SIZE="2")
dist.init_process_group("gloo", timeout=datetime.timedelta(seconds=3))
