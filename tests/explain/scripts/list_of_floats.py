import cinta as tf

w = tf.Variable([0.5, 1.5, 2.5])
with tf.GradientTape() as tape:
    numbers = [float(v) for v in w * 3.0]  # <python-value>
    loss = tf.reduce_mean(tf.constant(numbers))
tape.gradient(loss, w)
