import cinta as tf


class Model:
    def __init__(self):
        self.w = tf.Variable([1.0, 2.0])

    def step(self):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self.w**2)
        g = tape.gradient(loss, self.w)
        if g is not None:
            self.w = self.w - 0.1 * g  # <replaced-by-tensor>


m = Model()
m.step()
m.step()
