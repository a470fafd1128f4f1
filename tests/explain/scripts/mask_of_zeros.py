import cinta as tf

weights = tf.Variable([1.0, 2.0, 3.0])
mask = tf.zeros([3])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weights**2 * mask)  # <multiplied-by-zero>
g = tape.gradient(loss, weights)
