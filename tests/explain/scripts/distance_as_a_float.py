import cinta as tf

center = tf.Variable([0.0, 1.0])
points = tf.constant([[1.0, 1.0], [2.0, 0.5]])


def distance(a, b):
    return float(tf.reduce_sum((a - b) ** 2))  # <python-value>


with tf.GradientTape() as tape:
    total = 0.0
    for point in points:
        total += distance(point, center)
    loss = tf.constant(total) * 0.5
tape.gradient(loss, center)
