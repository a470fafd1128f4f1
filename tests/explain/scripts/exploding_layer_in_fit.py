import keras

import cinta as tf


class Exploding(keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], 1), initializer="ones")

    def call(self, x):
        return tf.exp(x @ self.w)  # <overflow>


model = keras.Sequential([Exploding()])
model.compile("sgd", "mse")
model.fit(
    tf.constant([[100.0, 1.0], [50.0, 60.0]]), tf.constant([[1.0], [2.0]]), epochs=1, verbose=0
)
