import cinta as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    words = tf.strings.as_string(w * 2.0)  # <nondifferentiable-op>
    back = tf.strings.to_number(words)
    loss = tf.reduce_sum(back)
tape.gradient(loss, w)
