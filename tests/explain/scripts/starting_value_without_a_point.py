import cinta as tf

position = tf.Variable(3)  # <integer-dtype>
with tf.GradientTape() as tape:
    height = tf.cast(position, tf.float32) ** 2
tape.gradient(height, position)
