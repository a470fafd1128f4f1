import keras
import numpy as np

import cinta as tf


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)  # <outside-tape>

    def train_step(self, data):
        x, y = data
        prediction = self(x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((prediction - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        pairs = [
            (tf.zeros_like(v) if g is None else g, v)
            for g, v in zip(gradients, self.trainable_variables)
        ]
        self.optimizer.apply_gradients(pairs)
        return {"loss": loss}


model = Model()
model.compile(optimizer="sgd")
model.fit(np.ones((8, 2), "float32"), np.ones((8, 1), "float32"), epochs=1, verbose=0)
