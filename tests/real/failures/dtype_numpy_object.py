# causes: dtype.not_implemented dtype.mismatch data.preprocess_range
# needs: torch numpy
import numpy
import torch

torch.from_numpy(numpy.array([[1.0, 2.0], [3.0, None]], dtype=object))
