# causes: tf.saved_model tf.keras_version checkpoint.missing_file checkpoint.corrupt
# needs: tensorflow
import pathlib
import tempfile

import tensorflow as tf

path = pathlib.Path(tempfile.mkdtemp()) / "model.h5"
path.write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
tf.keras.models.load_model(str(path))
