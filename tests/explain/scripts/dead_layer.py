import cinta as tf


class Dead(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(-tf.ones([3, 4]))
        self.b = tf.Variable(-tf.ones([4]))

    def __call__(self, x):
        pre = x @ self.w + self.b
        return tf.nn.relu(pre)  # <saturated>


model = Dead()
x = tf.ones([5, 3])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - 1.0) ** 2)
gradients = tape.gradient(loss, model.trainable_variables)
