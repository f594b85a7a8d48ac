# causes: distributed.port_in_use
# needs: torch
import os
import socket

import torch.distributed as dist

server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(server.getsockname()[1]), RANK="0", WORLD_SIZE="1")
dist.init_process_group("gloo")
