# causes: tf.graph_eager
# needs: tensorflow
import tensorflow as tf


@tf.function(autograph=False)
def step(x):
    if tf.reduce_sum(x) > 0:
        return x
    return -x


step(tf.ones(3))
