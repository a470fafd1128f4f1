import cinta as tf

a = tf.Variable([[1.0, 2.0]])
b = tf.constant([[1.0, 2.0]])
with tf.GradientTape() as tape:
    distance = tf.norm(a - b, axis=1)  # <sqrt-at-zero>
    loss = tf.reduce_sum(distance)
tape.gradient(loss, a)
