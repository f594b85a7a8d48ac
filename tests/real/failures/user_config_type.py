# causes: user_code.config user_code.bug
# needs: torch yaml
import torch
import yaml

config = yaml.safe_load("optimizer:\n  lr: 1e-4\n")
net = torch.nn.Linear(2, 2)
torch.optim.AdamW(net.parameters(), lr=config["optimizer"]["lr"])
