# causes: tf.graph_eager
# needs: tensorflow
import tensorflow as tf

inputs = tf.keras.Input((8,))
outputs = tf.nn.relu(inputs)
tf.keras.Model(inputs, outputs)
