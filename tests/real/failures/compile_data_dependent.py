# causes: compile.data_dependent compile.dynamo_unsupported
# needs: torch
import torch


class Gate(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x


torch.export.export(Gate(), (torch.randn(4),))
