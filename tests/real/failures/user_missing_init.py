# causes: user_code.bug
# needs: torch
import torch


class Net(torch.nn.Module):
    def __init__(self):
        self.layer = torch.nn.Linear(2, 2)


Net()
