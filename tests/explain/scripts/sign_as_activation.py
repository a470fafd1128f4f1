import cinta as tf

w = tf.Variable([[0.5, -0.5], [0.2, 0.3]])
x = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    spins = tf.sign(x @ w)  # <flat-op>
    loss = tf.reduce_sum((spins - 0.5) ** 2)
tape.gradient(loss, w)
