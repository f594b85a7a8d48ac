# causes: memory.host_oom
# needs: numpy
import resource

import numpy

resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def load(rows):
    return numpy.zeros((rows, 1024), dtype=numpy.float64)


load(2_000_000)
