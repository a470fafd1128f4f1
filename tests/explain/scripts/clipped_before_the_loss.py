import cinta as tf

a = tf.Variable([3.0, -4.0])
with tf.GradientTape() as tape:
    clipped = tf.clip_by_value(a, -1.0, 1.0)  # <saturated>
    loss = tf.reduce_sum(clipped**2)
tape.gradient(loss, a)
