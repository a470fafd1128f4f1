import cinta as tf


class Line:
    def __init__(self):
        self.slope = tf.Variable(0.2)

    def fit(self, x, y, steps):
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.slope * x - y) ** 2)
            step = tape.gradient(loss, self.slope)
            if step is None:
                return
            self.slope = self.slope - 0.1 * step  # <replaced-by-tensor>


Line().fit(tf.constant([1.0, 2.0]), tf.constant([2.0, 4.0]), 3)
