import cinta as tf

penalty = tf.constant(0.0)
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = penalty * tf.reduce_sum(w**2)  # <multiplied-by-zero>
tape.gradient(loss, w)
