# causes: compile.dynamo_unsupported compile.data_dependent
# needs: torch
import torch


@torch.compile(fullgraph=True)
def step(x):
    print("loss", x.sum().item())
    torch._dynamo.graph_break()
    return x * 2


step(torch.randn(4))
