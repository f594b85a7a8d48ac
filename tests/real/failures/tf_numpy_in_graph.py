# causes: tf.graph_eager
# needs: tensorflow
import tensorflow as tf


@tf.function
def step(x):
    return x.numpy().sum()


step(tf.ones(3))
