import cinta as tf

v = tf.Variable([0.0, 0.0, 0.0])
with tf.GradientTape() as tape:
    length = tf.norm(v)  # <sqrt-at-zero>
    loss = (length - 1.0) ** 2
g = tape.gradient(loss, v)
