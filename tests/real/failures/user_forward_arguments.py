# causes: user_code.bug
# needs: torch
import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        return x * mask


Net()(torch.ones(2))
