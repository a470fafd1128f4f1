import cinta as tf

a, b = tf.Variable(1.0), tf.Variable(2.0)
with tf.GradientTape(watch_accessed_variables=False) as tape:
    tape.watch(a)
    loss = a * 2.0
    loss = loss + b * 3.0  # <not-watched>
tape.gradient(loss, [a, b])
