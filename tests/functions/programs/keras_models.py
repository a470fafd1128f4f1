"""Keras: layers and models with a ``call`` of their own, and training steps over them."""

import math

import numpy as np

import cinta as tf
from tests.functions.programs.table import labels, program, rows

keras = tf.keras


def trained(model, loss, optimizer):
    """The training step of every tutorial."""

    def step(x, y):
        with tf.GradientTape() as tape:
            value = loss(y, model(x, training=True))
        gradients = tape.gradient(value, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        return value

    return step


class Linear(keras.layers.Layer):
    def __init__(self, units, scale=1.0, **options):
        super().__init__(**options)
        self.units, self.scale = units, scale

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="ones", name="w")
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", name="b")

    def call(self, x):
        return self.scale * (x @ self.w) + self.b


@program
def a_layer_of_its_own():
    keras.utils.set_random_seed(1)
    layer = Linear(2, scale=0.5)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(layer(x) ** 2)
        gradients = tape.gradient(loss, layer.trainable_variables)
        for v, g in zip(layer.trainable_variables, gradients, strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def a_sequential_model():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Dense(6, activation="relu"), keras.layers.Dense(3)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    yield trained(model, loss, keras.optimizers.Adam(0.01)), rows(8, 4), labels(8, 3)
    yield rows(8, 4, seed=1), labels(8, 3, seed=1)


@program
def a_functional_model():
    keras.utils.set_random_seed(1)
    inputs = keras.Input((4,))
    hidden = keras.layers.Dense(6, activation="tanh")(inputs)
    joined = keras.layers.Concatenate()([inputs, hidden])
    model = keras.Model(inputs, keras.layers.Dense(1)(joined))
    step = trained(model, keras.losses.MeanSquaredError(), keras.optimizers.SGD(0.1))
    yield step, rows(8, 4), rows(8, 1)
    yield rows(8, 4, seed=1), rows(8, 1, seed=1)


@program
def a_model_of_its_own():
    class Classifier(keras.Model):
        def __init__(self, sizes, rate=0.5):
            super().__init__()
            self.hidden = [keras.layers.Dense(size, activation="relu") for size in sizes]
            self.head = keras.layers.Dense(3)
            self.rate = rate

        def call(self, x, training=False):
            for layer in self.hidden:
                x = layer(x) + (self.rate if training else 0.0)
            return self.head(x)

    keras.utils.set_random_seed(1)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    step = trained(Classifier([6, 5]), loss, keras.optimizers.RMSprop(0.01))
    yield step, rows(8, 4), labels(8, 3)
    yield rows(8, 4, seed=1), labels(8, 3, seed=1)


@program
def a_convolutional_model():
    keras.utils.set_random_seed(1)
    model = keras.Sequential(
        [
            keras.layers.Conv2D(4, 3, padding="same", activation="relu"),
            keras.layers.MaxPooling2D(),
            keras.layers.BatchNormalization(),
            keras.layers.GlobalAveragePooling2D(),
            keras.layers.Dense(2),
        ]
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    step = trained(model, loss, keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True))
    yield step, rows(4, 8, 8, 1), labels(4, 2)
    yield rows(4, 8, 8, 1, seed=1), labels(4, 2, seed=1)


@program
def a_recurrent_model():
    keras.utils.set_random_seed(1)
    model = keras.Sequential(
        [keras.layers.Embedding(9, 4), keras.layers.GRU(5), keras.layers.Dense(1)]
    )
    loss = keras.losses.BinaryCrossentropy(from_logits=True)
    step = trained(model, loss, keras.optimizers.Adam(0.01, clipnorm=1.0))
    yield step, tf.reshape(labels(12, 9), [3, 4]), tf.cast(labels(3, 2), tf.float32)[:, None]
    yield tf.reshape(labels(12, 9, seed=1), [3, 4]), tf.cast(labels(3, 2), tf.float32)[:, None]


class Attention(keras.layers.Layer):
    def __init__(self, size, heads):
        super().__init__()
        self.size, self.heads = size, heads
        self.qkv, self.out = keras.layers.Dense(3 * size), keras.layers.Dense(size)

    def call(self, x, seen=None):
        batch, length, _ = x.shape
        parts = tf.reshape(self.qkv(x), [batch, length, 3, self.heads, self.size // self.heads])
        q, k, v = tf.unstack(tf.transpose(parts, [2, 0, 3, 1, 4]))
        scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(self.size // self.heads)
        if seen is not None:
            scores += -1e9 * (1.0 - seen)
        y = tf.transpose(tf.nn.softmax(scores) @ v, [0, 2, 1, 3])
        return self.out(tf.reshape(y, [batch, length, self.size]))


class Block(keras.layers.Layer):
    def __init__(self, size, heads, factor=2):
        super().__init__()
        self.attention = Attention(size, heads)
        self.norms = [keras.layers.LayerNormalization() for _ in range(2)]
        self.mlp = keras.Sequential(
            [keras.layers.Dense(factor * size, activation="gelu"), keras.layers.Dense(size)]
        )

    def call(self, x, seen=None):
        x = x + self.attention(self.norms[0](x), seen=seen)
        return x + self.mlp(self.norms[1](x))


@program
def a_transformer_of_layers():
    keras.utils.set_random_seed(1)
    blocks = [Block(4, 2) for _ in range(2)]
    optimizer = keras.optimizers.AdamW(0.01)

    def step(x):
        seen = tf.linalg.band_part(tf.ones([x.shape[1]] * 2), -1, 0)
        with tf.GradientTape() as tape:
            y = x
            for block in blocks:
                y = block(y, seen=seen)
            loss = tf.reduce_mean((y[:, :-1] - x[:, 1:]) ** 2)
        variables = [v for block in blocks for v in block.trainable_variables]
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    yield step, rows(2, 5, 4)
    yield rows(2, 5, 4, seed=1)


@program
def a_model_with_a_train_step():
    class Regression(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1)
            self.tracker = keras.metrics.Mean(name="loss")
            self.noise = 0.1

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self(x * (1 + self.noise)) - y) ** 2) + sum(self.losses)
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            self.tracker.update_state(loss)
            return {metric.name: metric.result() for metric in [self.tracker]}

    keras.utils.set_random_seed(1)
    model = Regression()
    model.compile(optimizer=keras.optimizers.SGD(0.1))
    yield model.train_step, (rows(8, 3), rows(8, 1))
    yield ((rows(8, 3, seed=1), rows(8, 1, seed=1)),)


@program
def metrics_and_schedules():
    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Dense(3, kernel_regularizer="l2")])
    schedule = keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    optimizer = keras.optimizers.SGD(schedule)
    metrics = [keras.metrics.SparseCategoricalAccuracy(), keras.metrics.Mean(name="loss")]
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            value = loss(y, logits) + tf.add_n(model.losses)
        gradients = tape.gradient(value, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights, strict=True))
        metrics[0].update_state(y, logits)
        metrics[1].update_state(value)
        return {metric.name: metric.result() for metric in metrics}

    yield step, rows(8, 4), labels(8, 3)
    yield rows(8, 4, seed=1), labels(8, 3, seed=1)


@program
def a_loss_of_its_own():
    class Focal(keras.losses.Loss):
        def __init__(self, gamma=2.0):
            super().__init__()
            self.gamma = gamma

        def call(self, y_true, y_pred):
            chance = tf.sigmoid(y_pred)
            share = tf.where(y_true > 0.5, chance, 1.0 - chance)
            return -((1.0 - share) ** self.gamma) * tf.math.log(share + keras.backend.epsilon())

    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Dense(1)])
    step = trained(model, Focal(gamma=1.5), keras.optimizers.Adagrad(0.1))
    yield step, rows(8, 4), tf.cast(labels(8, 2), tf.float32)[:, None]
    yield rows(8, 4, seed=1), tf.cast(labels(8, 2, seed=1), tf.float32)[:, None]


@program
def layers_that_are_frozen():
    keras.utils.set_random_seed(1)
    base = keras.Sequential([keras.layers.Dense(5, activation="relu"), keras.layers.Dense(4)])
    head = keras.layers.Dense(1)
    base.trainable = False
    model = keras.Sequential([base, keras.layers.Dropout(0.0), head])
    step = trained(model, keras.losses.MeanAbsoluteError(), keras.optimizers.SGD(0.1))
    yield step, rows(8, 3), rows(8, 1)
    yield rows(8, 3, seed=1), rows(8, 1, seed=1)


@program
def a_wrapper_around_a_layer():
    class SpectralNorm(keras.layers.Wrapper):
        def __init__(self, layer, turns=2):
            super().__init__(layer)
            self.turns = turns

        def build(self, shape):
            super().build(shape)
            size = self.layer.kernel.shape[-1]
            self.u = self.add_weight(shape=(size, 1), initializer="ones", trainable=False, name="u")

        def call(self, x):
            w, u = self.layer.kernel, self.u
            for _ in range(self.turns):
                v = tf.math.l2_normalize(w @ u)
                u = tf.math.l2_normalize(tf.transpose(w) @ v)
            self.u.assign(u)
            return self.layer(x) / tf.squeeze(tf.transpose(v) @ w @ u)

    keras.utils.set_random_seed(1)
    layer = SpectralNorm(keras.layers.Dense(3))
    scale = np.float32(0.5)
    yield (lambda x: scale * layer(x)), rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def spectral_normalization():
    tf.keras.utils.set_random_seed(0)
    layer = tf.keras.layers.SpectralNormalization(tf.keras.layers.Dense(3))
    layer.build((None, 4))

    def step(x):
        return layer(x, training=True)

    yield (step, rows(2, 4))
    yield rows(2, 4, seed=2)


@program
def functional_with_branches():
    tf.keras.utils.set_random_seed(0)
    i = tf.keras.Input((4,))
    a = tf.keras.layers.Dense(4, activation="gelu")(i)
    b = tf.keras.layers.Dense(4)(i)
    m = tf.keras.Model(i, [tf.keras.layers.Add()([a, b]), tf.keras.layers.Concatenate()([a, b])])

    def step(x):
        with tf.GradientTape() as t:
            p, q = m(x, training=True)
            loss = tf.reduce_mean(p**2) + tf.reduce_mean(q**2)
        gs = t.gradient(loss, m.trainable_weights)
        gs, n = tf.clip_by_global_norm(gs, 1.0)
        for w, g in zip(m.trainable_weights, gs, strict=False):
            w.assign_sub(0.1 * g)
        return n

    yield (step, rows(3, 4))
    yield rows(3, 4, seed=2)
