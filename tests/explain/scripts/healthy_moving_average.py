import cinta as tf

w, average = tf.Variable(1.0), tf.Variable(0.0, trainable=False)
for step in range(5):
    with tf.GradientTape() as tape:
        out = w * 2.0
        average.assign(0.9 * average + 0.1 * out)
        loss = (out - 1.0) ** 2
    w.assign_sub(0.1 * tape.gradient(loss, w))
