import cinta as tf

decay = tf.Variable(0.9)
x = tf.constant([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    states = tf.scan(lambda s, v: s * decay + v, x)
    squares = tf.map_fn(lambda v: v * decay, states)
    loss = tf.reduce_sum(squares)
tape.gradient(loss, decay)
