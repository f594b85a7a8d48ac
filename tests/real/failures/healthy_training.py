# causes: none
# needs: torch
import logging
import time

import torch

logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.INFO)
log = logging.getLogger("train")
net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
log.info("torch %s, CUDA available: %s, no GPU found, running on the CPU", torch.__version__, torch.cuda.is_available())
for epoch in range(3):
    for step in range(5):
        x = torch.randn(32, 8)
        loss = torch.nn.functional.cross_entropy(net(x), (x.sum(1) > 0).long())
        optimizer.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        log.info("epoch %d step %d loss %.4f grad_norm %.3f errors 0", epoch, step, loss.item(), norm)
    time.sleep(0.05)
log.info("training finished, best loss %.4f", loss.item())
