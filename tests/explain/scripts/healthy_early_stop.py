import cinta as tf

w = tf.Variable(3.0)
best = float("inf")
for step in range(50):
    with tf.GradientTape() as tape:
        loss = (w - 1.0) ** 2
        if loss < best:
            best = float(loss)
    g = tape.gradient(loss, w)
    if tf.abs(g) < 0.1:
        break
    w.assign_sub(0.1 * g)
