# causes: dtype.mismatch
# needs: tensorflow
import tensorflow as tf

print(tf.constant([1, 2]) * tf.constant([0.5, 0.25]))
