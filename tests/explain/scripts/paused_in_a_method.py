import cinta as tf


class Tracker:
    def __init__(self):
        self.mean = tf.Variable(0.5)

    def penalty(self, tape, x):
        with tape.stop_recording():
            gap = tf.square(x - self.mean)  # <stopped-recording>
        return tf.reduce_mean(gap * 2.0)


tracker = Tracker()
with tf.GradientTape() as tape:
    loss = tracker.penalty(tape, tf.constant([1.0, 2.0]))
tape.gradient(loss, tracker.mean)
