"""TensorFlow's graphs: read as functions, and written from recordings."""
