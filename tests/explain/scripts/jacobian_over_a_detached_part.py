import cinta as tf

w = tf.Variable([1.0, 2.0, 3.0])


def split(v):
    head = v[:1]
    tail = tf.stop_gradient(v[1:] * 2.0)  # <stop-gradient>
    return head, tail


with tf.GradientTape() as tape:
    head, tail = split(w)
    y = tail**2
tape.jacobian(y, w)
