import keras
import numpy as np

import cinta as tf


class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(4, activation="relu")
        self.out = keras.layers.Dense(1)
        self.mean = keras.metrics.Mean(name="loss")

    def call(self, x, training=False):
        return self.out(self.hidden(x))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            prediction = self(x, training=True)
            loss = tf.reduce_mean((prediction - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        self.mean.update_state(loss)
        return {"loss": self.mean.result()}


rng = np.random.default_rng(1)
keras.utils.set_random_seed(1)
model = Model()
model.compile(optimizer="adam")
x = rng.normal(size=(32, 3)).astype("float32")
model.fit(x, x[:, :1], epochs=2, batch_size=8, verbose=0)
