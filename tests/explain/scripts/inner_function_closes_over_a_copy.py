import cinta as tf


def make_model():
    w = tf.Variable(0.7)
    doubled = 2.0 * w  # <outside-tape>

    def predict(x):
        return doubled * x

    return predict, w


predict, w = make_model()
with tf.GradientTape() as tape:
    loss = predict(tf.constant(3.0)) ** 2
tape.gradient(loss, w)
