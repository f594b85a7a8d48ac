# causes: data.label_range
# needs: tensorflow
import tensorflow as tf

tf.keras.layers.Embedding(4, 2)(tf.constant([1, 9]))
