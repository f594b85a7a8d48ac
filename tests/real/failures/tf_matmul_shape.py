# causes: tf.shape
# needs: tensorflow
import tensorflow as tf

tf.matmul(tf.ones((2, 3)), tf.ones((2, 3)))
