# causes: compile.inductor_failure
# needs: torch
import torch


def backend(graph, inputs):
    return graph.not_a_method()


@torch.compile(backend=backend)
def step(x):
    return torch.sin(x)


step(torch.randn(4))
