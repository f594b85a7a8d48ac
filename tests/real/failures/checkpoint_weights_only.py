# causes: checkpoint.weights_only
# needs: torch numpy
import io

import numpy as np
import torch


class Config:
    pass


buffer = io.BytesIO()
torch.save({"config": Config(), "rng": np.random.RandomState(0)}, buffer)
buffer.seek(0)
torch.load(buffer)
