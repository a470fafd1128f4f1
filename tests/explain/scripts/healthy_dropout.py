import cinta as tf

w = tf.Variable(0.0)
with tf.GradientTape(persistent=True) as tape:
    y = tf.nn.dropout(tf.ones([10]) * (w + 1.0), 0.5, seed=1)
    loss = tf.reduce_sum(y)
    log = f"{float(loss):.3f}"
print(tape.gradient(loss, w), log)
del tape
