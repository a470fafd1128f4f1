import cinta as tf

w = tf.Variable([0.5, 1.5, 2.5])
with tf.GradientTape() as tape:
    parts = []
    for value in (w**2).numpy():  # <left-to-numpy>
        parts.append(value)
    loss = tf.reduce_sum(tf.stack(parts))
tape.gradient(loss, w)
