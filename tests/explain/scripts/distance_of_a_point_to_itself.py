import cinta as tf

points = tf.Variable([[0.0, 0.0], [3.0, 4.0]])


def distance(p):
    return tf.sqrt(tf.reduce_sum(p**2, axis=1))  # <sqrt-at-zero>


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(distance(points))
g = tape.gradient(loss, points)
