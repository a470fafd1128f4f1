import cinta as tf


class FocalLoss:
    def __init__(self, gamma):
        self.gamma = gamma

    def __call__(self, y, p):
        weight = (1.0 - p) ** self.gamma
        return tf.reduce_mean(
            -y * weight * tf.math.log(p) - (1.0 - y) * tf.math.log(1.0 - p)  # <log-of-zero>
        )


loss = FocalLoss(2.0)
w = tf.Variable([0.0, 60.0])
with tf.GradientTape() as tape:
    value = loss(tf.constant([1.0, 1.0]), tf.sigmoid(w))
tape.gradient(value, w)
