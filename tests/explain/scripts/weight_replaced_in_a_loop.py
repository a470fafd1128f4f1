import cinta as tf

w = tf.Variable(4.0)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = (w - 1.0) ** 2
    gradient = tape.gradient(loss, w)
    if gradient is None:
        break
    w = w - 0.1 * gradient  # <replaced-by-tensor>
