import cinta as tf

w = tf.Variable([50.0, -60.0])
with tf.GradientTape() as tape:
    h = tf.tanh(w * 2.0)  # <saturated>
    loss = tf.reduce_sum((h - 0.5) ** 2)
tape.gradient(loss, w)
