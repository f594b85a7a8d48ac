# causes: tf.saved_model tf.keras_version
# needs: tensorflow
import tempfile

import tensorflow as tf

tf.saved_model.load(tempfile.mkdtemp())
