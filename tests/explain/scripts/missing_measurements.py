import cinta as tf

measured = tf.constant([1.0, float("nan"), 3.0])  # <nan-input>
w = tf.Variable(0.5)
with tf.GradientTape() as tape:
    error = w - measured
    loss = tf.reduce_mean(error**2)
tape.gradient(loss, w)
