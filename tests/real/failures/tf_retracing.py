# causes: tf.retracing
# needs: tensorflow
import tensorflow as tf


@tf.function
def step(x):
    return x * 2


for size in range(12):
    step(tf.ones(size))
for value in range(8):
    step(value)
