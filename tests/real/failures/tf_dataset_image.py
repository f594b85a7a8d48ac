# causes: data.corrupt_sample
# needs: tensorflow
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices([b"not an image"]).map(tf.io.decode_jpeg)
for image in images:
    print(image.shape)
