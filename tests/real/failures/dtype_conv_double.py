# causes: dtype.mismatch
# needs: torch numpy
import numpy
import torch

torch.nn.Conv1d(1, 2, 3)(torch.from_numpy(numpy.zeros((1, 1, 8))))
