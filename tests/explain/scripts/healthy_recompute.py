import cinta as tf

w = tf.Variable([[0.1, 0.2], [0.3, 0.4]])


@tf.recompute_grad
def block(x):
    return tf.tanh(x @ w)


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(block(block(tf.ones([1, 2]))))
tape.gradient(loss, w)
