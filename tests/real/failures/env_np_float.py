# causes: env.api_removed
# needs: numpy
import numpy as np


def scale(x):
    return x.astype(np.float)


scale(np.zeros(3))
