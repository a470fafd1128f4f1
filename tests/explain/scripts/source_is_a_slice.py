import cinta as tf

weights = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(weights**2)
tape.gradient(loss, weights[0])  # <after-use>
