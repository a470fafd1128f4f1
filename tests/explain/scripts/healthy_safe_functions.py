import cinta as tf

x = tf.Variable([0.0, 1.0, 100.0])
with tf.GradientTape() as tape:
    y = (
        tf.math.log1p(x)
        + tf.math.divide_no_nan(x, x * 0.0)
        + tf.math.xlogy(x, x + 1.0)
        + tf.nn.softplus(x)
        + tf.math.log_sigmoid(x)
    )
    loss = tf.reduce_logsumexp(y)
tape.gradient(loss, x)
