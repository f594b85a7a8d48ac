# causes: tf.api_removed
# needs: tensorflow
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
with tf.Session() as session:
    session.run(x)
