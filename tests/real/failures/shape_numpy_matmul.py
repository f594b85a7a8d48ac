# causes: shape.matmul
# needs: numpy
import numpy

print(numpy.ones((4, 3)) @ numpy.ones((4, 3)))
