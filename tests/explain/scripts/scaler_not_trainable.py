import cinta as tf


class Scaler(tf.Module):
    def __init__(self):
        super().__init__()
        self.factor = tf.Variable(2.0, trainable=False)  # <not-trainable>

    def __call__(self, x):
        return self.factor * x


scaler = Scaler()
with tf.GradientTape() as tape:
    loss = (scaler(tf.constant(3.0)) - 1.0) ** 2
print(tape.gradient(loss, scaler.factor))
