import cinta as tf


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([[1.0], [2.0]])

    @tf.function
    def __call__(self, x):
        return x @ self.w


model = Model()
data = tf.data.Dataset.from_tensor_slices(tf.ones([5, 2])).batch(2)
for batch in data:
    model(batch)  # <argument-shape>
