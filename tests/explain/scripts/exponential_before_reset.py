import cinta as tf

w = tf.Variable(1.5)
with tf.GradientTape(persistent=True) as tape:
    a = tf.exp(w)
    tape.reset()  # <tape-reset>
    loss = a * 2.0
print(tape.gradient(loss, w))
