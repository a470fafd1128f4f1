"""Trainings that are the same on every engine of Keras: nothing in them is drawn by chance.

As a script with TensorFlow's environment it writes what TensorFlow makes of them:
``python -m tests.keras_trainings``.
"""

import json

import numpy as np

from tests.keras_engine.keras_table import numbers
from tests.references import REFERENCES

EXPECTED = REFERENCES / "keras_trainings.json"


def begin(model, *shape):
    """Weights that depend on their shapes alone, of the size that initializers choose."""
    if shape:
        model.build([None, *shape])
    for i, weight in enumerate(model.trainable_variables):
        if len(weight.shape) > 1:
            fans = np.sqrt(np.prod(weight.shape[:-1]))
            weight.assign(numbers(*weight.shape, seed=i) * 1.5 / fans)
    return model


def fit(model, *data, epochs, **options):
    history = model.fit(*data, epochs=epochs, batch_size=16, shuffle=False, verbose=0, **options)
    return {name: [float(x) for x in values] for name, values in history.history.items()}


def single(x):
    return x.astype("float32")


def perceptron(tf):
    """Classes of points, with what `compile` and `fit` take."""
    k = tf.keras
    x = single(numbers(160, 8))
    y = (x[:, :4].sum(1) > 0).astype("int32") + (x[:, 4] > 0.5)
    model = k.Sequential(
        [
            k.layers.Dense(32, activation="relu", kernel_regularizer=k.regularizers.L2(1e-3)),
            k.layers.Dense(16, activation="tanh", kernel_constraint=k.constraints.MaxNorm(2.0)),
            k.layers.Dense(3),
        ]
    )
    model.compile(
        k.optimizers.SGD(0.1, momentum=0.9, nesterov=True),
        k.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    weights = {0: 1.0, 1: 1.5, 2: 2.0}
    logs = fit(begin(model, 8), x, y, epochs=12, validation_split=0.2, class_weight=weights)
    return logs | {"predicted": model.predict(x[:2], verbose=0).ravel().tolist()}


def convolutions(tf):
    """Which way stripes run."""
    k = tf.keras
    x = single(numbers(64, 12, 12, 1)) * 0.7
    x[::2, :, ::3] += 1.0
    x[1::2, ::3] += 1.0
    y = np.arange(64) % 2
    model = k.Sequential(
        [
            k.layers.Conv2D(8, 3, padding="same", use_bias=False),
            k.layers.BatchNormalization(),
            k.layers.ReLU(),
            k.layers.MaxPooling2D(),
            k.layers.SeparableConv2D(8, 3, activation="gelu"),
            k.layers.GlobalAveragePooling2D(),
            k.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(k.optimizers.Adam(0.02), "binary_crossentropy", metrics=["auc"])
    logs = fit(begin(model, 12, 12, 1), x, y, epochs=6)
    return logs | {"evaluated": model.evaluate(x, y, verbose=0)}


def recurrence(tf):
    """The sum of a sequence, with a schedule and clipped gradients."""
    k = tf.keras
    x = single(numbers(96, 10, 2))
    y = x[..., 0].sum(1, keepdims=True)
    model = k.Sequential(
        [k.layers.LSTM(12, return_sequences=True), k.layers.GRU(8), k.layers.Dense(1)]
    )
    rate = k.optimizers.schedules.ExponentialDecay(0.02, 20, 0.9)
    model.compile(k.optimizers.RMSprop(rate, clipnorm=1.0), "mse", metrics=["mae"])
    return fit(begin(model, 10, 2), x, y, epochs=10)


def transformer(tf):
    """A block that finds the position of the largest number."""
    k = tf.keras
    x = single(numbers(128, 6, 3))
    y = x[..., 0].argmax(1)
    inputs = k.Input([6, 3])
    h = k.layers.Dense(16)(inputs)
    attended = k.layers.MultiHeadAttention(2, 8)(h, h)
    h = k.layers.LayerNormalization()(h + attended)
    h = k.layers.LayerNormalization()(h + k.layers.Dense(16)(k.layers.Dense(32, "gelu")(h)))
    outputs = k.layers.Flatten()(k.layers.Dense(1)(h))
    model = begin(k.Model(inputs, outputs))
    loss = k.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(k.optimizers.AdamW(0.004), loss, metrics=["accuracy"])
    return fit(model, x, y, epochs=12)


def rows_of_a_table(tf):
    """Words whose gradients are sparse, and samples that are weighted."""
    k = tf.keras
    words = np.random.default_rng(0).integers(1, 50, (120, 7))
    words[:, 5:] *= np.arange(120)[:, None] % 2  # 0 is masked
    y = single((words < 20).sum(1) > 3)
    model = k.Sequential(
        [
            k.layers.Embedding(50, 8, mask_zero=True),
            k.layers.Bidirectional(k.layers.LSTM(6)),
            k.layers.Dense(1),
        ]
    )
    loss = k.losses.BinaryCrossentropy(from_logits=True)
    model.compile(k.optimizers.Adagrad(0.3), loss, weighted_metrics=["mse"])
    weights = single(1 + np.arange(120) % 3)
    return fit(begin(model, 7), words, y, epochs=6, sample_weight=weights)


def autoencoder(tf):
    """A variational autoencoder with a training step of its own; the noise is an input."""
    k = tf.keras

    class Autoencoder(k.Model):
        def __init__(self):
            super().__init__()
            self.encoder = k.Sequential([k.layers.Dense(16, "tanh"), k.layers.Dense(4)])
            self.decoder = k.Sequential([k.layers.Dense(16, "tanh"), k.layers.Dense(8)])
            self.loss_seen = k.metrics.Mean(name="loss")

        def call(self, inputs):
            x, noise = inputs
            mean, log_variance = tf.split(self.encoder(x), 2, axis=1)
            z = mean + tf.exp(log_variance / 2) * noise
            divergence = tf.reduce_sum(mean**2 + tf.exp(log_variance) - 1 - log_variance, 1) / 2
            return self.decoder(z), divergence

        def train_step(self, data):
            ((x, _),) = inputs, *_ = data
            with tf.GradientTape() as tape:
                found, divergence = self(inputs, training=True)
                error = tf.reduce_sum((found - x) ** 2, axis=1)
                loss = tf.reduce_mean(error + 0.05 * divergence)
            variables = self.trainable_variables
            self.optimizer.apply_gradients(
                zip(tape.gradient(loss, variables), variables, strict=True)
            )
            self.loss_seen.update_state(loss)
            return {"loss": self.loss_seen.result()}

        @property
        def metrics(self):
            return [self.loss_seen]

    angles = np.linspace(0, 2 * np.pi, 96)[:, None]
    x = single(np.cos(angles + np.arange(8)))
    model = Autoencoder()
    model((x[:1], x[:1, :2]))
    begin(model).compile(k.optimizers.Adam(0.02))
    return fit(model, (x, single(numbers(96, 2))), epochs=12)


def adversaries(tf):
    """Steps of a generator and of a critic with a gradient penalty, in a loop of one's own."""
    k = tf.keras
    generator = begin(k.Sequential([k.layers.Dense(16, "relu"), k.layers.Dense(2)]), 2)
    critic = begin(k.Sequential([k.layers.Dense(16, "tanh"), k.layers.Dense(1)]), 2)
    optimizers = [k.optimizers.Adam(0.01, beta_1=0.5) for _ in range(2)]
    real = tf.constant(single(numbers(32, 2) * 0.3 + 1.0))
    noise = tf.constant(single(numbers(32, 2, seed=1)))
    logs = {"generator": [], "critic": []}
    for _ in range(10):
        with tf.GradientTape() as tape:
            made = generator(noise)
            between = (real + made) / 2
            with tf.GradientTape() as inner:
                inner.watch(between)
                judged = critic(between)
            slopes = tf.norm(inner.gradient(judged, between), axis=1)
            loss = tf.reduce_mean(critic(made) - critic(real)) + tf.reduce_mean((slopes - 1) ** 2)
        logs["critic"].append(float(loss))
        step(tape, loss, critic, optimizers[0])
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(critic(generator(noise)))
        logs["generator"].append(float(loss))
        step(tape, loss, generator, optimizers[1])
    return logs


def step(tape, loss, model, optimizer):
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))


TRAININGS = {
    each.__name__: each
    for each in (
        perceptron, convolutions, recurrence, transformer, rows_of_a_table, autoencoder, adversaries
    )
}  # fmt: skip


def main():
    import tensorflow

    found = {name: training(tensorflow) for name, training in TRAININGS.items()}
    EXPECTED.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
