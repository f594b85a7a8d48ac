# causes: numeric.invalid_math numeric.bad_input_values
# needs: tensorflow
import tensorflow as tf

tf.debugging.enable_check_numerics()
tf.math.log(tf.constant([-1.0, 2.0]))
