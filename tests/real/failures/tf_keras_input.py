# causes: tf.shape shape.input_contract
# needs: tensorflow
import numpy
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4)])
model.compile("sgd", "mse")
model.fit(numpy.ones((4, 6)), numpy.ones((4, 4)), verbose=0)
