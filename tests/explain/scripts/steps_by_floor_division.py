import cinta as tf

x = tf.Variable([1.5, 2.5, 7.2])
with tf.GradientTape() as tape:
    bins = x // 2.0  # <nondifferentiable-op>
    loss = tf.reduce_sum(bins * x.shape[0])
tape.gradient(loss, x)
