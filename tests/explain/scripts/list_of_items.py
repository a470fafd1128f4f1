import cinta as tf

coefficients = tf.Variable([1.0, 2.0, 3.0])
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    y = tf.constant(0.0)
    for c in coefficients.numpy():  # <left-to-numpy>
        y = y * x + c
tape.gradient(y, coefficients)
