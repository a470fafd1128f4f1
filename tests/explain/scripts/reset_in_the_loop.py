import cinta as tf

w = tf.Variable([1.0])
with tf.GradientTape() as tape:
    for k in range(3):
        loss = tf.reduce_sum(w * float(k))
        if k == 2:
            tape.reset()  # <tape-reset>
print(tape.gradient(loss, w))
