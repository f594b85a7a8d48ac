# causes: shape.broadcast
# needs: numpy
import numpy

predictions, targets = numpy.zeros((8, 3)), numpy.zeros((8, 4))
print(((predictions - targets) ** 2).mean())
