# causes: tf.variable_creation
# needs: tensorflow
import tensorflow as tf


@tf.function
def step(x):
    weight = tf.Variable(1.0)
    return weight * x


step(tf.constant(2.0))
