"""Protocol buffers: messages of TensorFlow's files, written and read without a library for them."""
