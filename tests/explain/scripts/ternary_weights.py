import cinta as tf

w = tf.Variable([0.3, -0.8])
with tf.GradientTape() as tape:
    ternary = tf.sign(w * 2.0)  # <flat-op>
    loss = tf.reduce_mean((ternary - 0.3) ** 2)
tape.gradient(loss, w)
