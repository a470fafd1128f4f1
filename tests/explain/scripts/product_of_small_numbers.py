import cinta as tf

logs = tf.Variable([-60.0, -50.0])
with tf.GradientTape() as tape:
    likelihood = tf.exp(tf.reduce_sum(logs))  # <underflow>
    loss = 1.0 - likelihood
tape.gradient(loss, logs)
