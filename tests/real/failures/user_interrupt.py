# causes: user_code.interrupted
# needs: torch
import os
import signal
import threading
import time

import torch

threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
net = torch.nn.Linear(8, 8)
for step in range(100000):
    net(torch.randn(4, 8)).sum().backward()
    time.sleep(0.01)
