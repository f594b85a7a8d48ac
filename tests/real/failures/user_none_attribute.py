# causes: user_code.bug
# needs: torch
import torch


def find(modules, name):
    for key, module in modules:
        if key == name:
            return module


net = torch.nn.Sequential(torch.nn.Linear(2, 2))
find(net.named_modules(), "head").weight.data.zero_()
