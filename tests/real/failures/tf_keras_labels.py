# causes: tf.shape
# needs: tensorflow
import numpy
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4, activation="softmax")])
model.compile("sgd", "categorical_crossentropy")
model.fit(numpy.ones((4, 8)), numpy.ones((4, 3)), verbose=0)
