# causes: none
# needs: tensorflow
import numpy
import tensorflow as tf

print(tf.config.list_physical_devices("GPU"))
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4)])
model.compile("adam", "mse")
model.fit(numpy.ones((64, 8)), numpy.ones((64, 4)), epochs=2, verbose=2)
