import cinta as tf

pixel = tf.Variable([10.4, 20.6, 30.2])
with tf.GradientTape() as tape:
    quantised = tf.cast(pixel, tf.int32)  # <integer-dtype>
    back = tf.cast(quantised, tf.float32)
    loss = tf.reduce_mean((back - 15.0) ** 2)
tape.gradient(loss, pixel)
