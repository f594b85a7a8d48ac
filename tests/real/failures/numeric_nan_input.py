# causes: numeric.bad_input_values
# needs: sklearn numpy
import numpy
from sklearn.linear_model import LogisticRegression

features = numpy.array([[1.0, 2.0], [numpy.nan, 3.0], [0.5, 1.0]])
LogisticRegression().fit(features, [0, 1, 0])
