import cinta as tf

w = tf.Variable(2.0)
with tf.GradientTape() as tape:
    shown = float(f"{w.numpy() * 2.0:.3f}")  # <left-to-numpy>
    loss = tf.constant(shown) ** 2
tape.gradient(loss, w)
