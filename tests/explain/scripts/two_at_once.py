import cinta as tf

a, b = tf.Variable(1.0), tf.Variable(2.0)
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = (a * 3.0 + b - 1.0) ** 2
    da, db = tape.gradient(loss, [a, b])
    if da is None:
        break
    a, b = a - 0.1 * da, b - 0.1 * db  # <replaced-by-tensor>
