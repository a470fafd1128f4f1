"""Training steps with layers and optimizers written by hand."""

import itertools
import math

import numpy as np

import cinta as tf
from tests.functions.programs.table import labels, program, rows, weights


class Dense:
    """The first programs of newcomers."""

    def __init__(self, inputs, outputs, activation=None, seed=0):
        self.w = weights(inputs, outputs, seed=seed)
        self.b = tf.Variable(tf.zeros(outputs))
        self.activation = activation

    def __call__(self, x):
        y = x @ self.w + self.b
        return y if self.activation is None else self.activation(y)

    @property
    def variables(self):
        return [self.w, self.b]


class MLP:
    def __init__(self, *sizes):
        last = len(sizes) - 2
        self.layers = [
            Dense(n, m, tf.nn.relu if i < last else None, seed=i)
            for i, (n, m) in enumerate(itertools.pairwise(sizes))
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    @property
    def variables(self):
        return [v for layer in self.layers for v in layer.variables]


class Adam:
    def __init__(self, variables, rate=0.01, beta=(0.9, 0.999), epsilon=1e-7):
        self.rate, self.beta, self.epsilon = rate, beta, epsilon
        self.step = tf.Variable(0.0)
        self.slots = [
            (v, tf.Variable(tf.zeros_like(v)), tf.Variable(tf.zeros_like(v))) for v in variables
        ]

    def apply(self, gradients):
        self.step.assign_add(1.0)
        one, two = self.beta
        for (v, m, s), g in zip(self.slots, gradients, strict=True):
            m.assign(one * m + (1 - one) * g)
            s.assign(two * s + (1 - two) * g * g)
            mean, square = m / (1 - one**self.step), s / (1 - two**self.step)
            v.assign_sub(self.rate * mean / (tf.sqrt(square) + self.epsilon))


@program
def logistic_regression():
    w, b = tf.Variable(tf.zeros([4, 1])), tf.Variable(0.0)

    def step(x, y, rate=0.5):
        with tf.GradientTape() as tape:
            logits = tf.squeeze(x @ w, -1) + b
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
        for v, g in zip((w, b), tape.gradient(loss, [w, b]), strict=True):
            v.assign_sub(rate * g)
        return loss

    yield step, rows(8, 4), tf.cast(labels(8, 2), tf.float32)
    yield rows(8, 4, seed=1), tf.cast(labels(8, 2, seed=1), tf.float32)


@program
def a_classifier():
    model = MLP(4, 8, 3)

    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        gradients = tape.gradient(loss, model.variables)
        for v, g in zip(model.variables, gradients, strict=True):
            v.assign_sub(0.1 * g)
        right = tf.equal(tf.argmax(logits, -1), y)
        return {"loss": loss, "accuracy": tf.reduce_mean(tf.cast(right, tf.float32))}

    yield step, rows(8, 4), labels(8, 3)
    yield rows(8, 4, seed=1), labels(8, 3, seed=1)


@program
def adam_by_hand():
    model = MLP(3, 6, 1)
    optimizer = Adam(model.variables)

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        optimizer.apply(tape.gradient(loss, model.variables))
        return loss

    yield step, rows(8, 3), rows(8, 1)
    yield rows(8, 3, seed=1), rows(8, 1, seed=1)


@program
def clipped_gradients():
    model = MLP(3, 6, 1)
    limit = 0.1

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(x) - y))
        gradients, norm = tf.clip_by_global_norm(tape.gradient(loss, model.variables), limit)
        for v, g in zip(model.variables, gradients, strict=True):
            v.assign_sub(g)
        return loss, norm

    yield step, rows(8, 3), rows(8, 1)
    yield rows(8, 3, seed=1), rows(8, 1, seed=1)


@program
def a_moving_average_of_weights():
    model = MLP(3, 6, 1)
    shadow = {i: tf.Variable(v) for i, v in enumerate(model.variables)}
    decay = 0.9

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.variables)
        for i, (v, g) in enumerate(zip(model.variables, gradients, strict=True)):
            v.assign_sub(0.1 * g)
            shadow[i].assign(decay * shadow[i] + (1 - decay) * v)
        return loss, sum(tf.reduce_sum(v) for v in shadow.values())

    yield step, rows(8, 3), rows(8, 1)
    yield rows(8, 3, seed=1), rows(8, 1, seed=1)


class Cosine:
    """A schedule as people write them, over a variable that counts."""

    def __init__(self, peak, warmup, total):
        self.peak, self.warmup, self.total = peak, warmup, total

    def __call__(self, step):
        rising = step / self.warmup
        share = (step - self.warmup) / (self.total - self.warmup)
        falling = 0.5 * (1 + tf.cos(math.pi * tf.clip_by_value(share, 0.0, 1.0)))
        return self.peak * tf.where(step < self.warmup, rising, falling)


@program
def a_schedule():
    model, schedule = MLP(3, 6, 1), Cosine(0.1, 2.0, 10.0)
    count = tf.Variable(0.0)

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        count.assign_add(1.0)
        rate = schedule(count)
        for v, g in zip(model.variables, tape.gradient(loss, model.variables), strict=True):
            v.assign_sub(rate * g)
        return loss, rate

    yield step, rows(8, 3), rows(8, 1)
    yield rows(8, 3, seed=1), rows(8, 1, seed=1)


@program
def gradients_that_are_gathered():
    model, every = MLP(3, 6, 1), 2
    sums = [tf.Variable(tf.zeros_like(v)) for v in model.variables]
    count = tf.Variable(0)

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2) / every
        for total, g in zip(sums, tape.gradient(loss, model.variables), strict=True):
            total.assign_add(g)
        if count.assign_add(1) % every == 0:
            for v, total in zip(model.variables, sums, strict=True):
                v.assign_sub(0.1 * total)
                total.assign(tf.zeros_like(total))
        return loss

    yield step, rows(8, 3), rows(8, 1)
    yield rows(8, 3, seed=1), rows(8, 1, seed=1)


@program
def weight_decay_by_names():
    parameters = {"w1": weights(3, 5), "b1": weights(5), "w2": weights(5, 1, seed=1)}

    def step(x, y):
        with tf.GradientTape() as tape:
            hidden = tf.tanh(x @ parameters["w1"] + parameters["b1"])
            loss = tf.reduce_mean((hidden @ parameters["w2"] - y) ** 2)
            decayed = [v for name, v in parameters.items() if not name.startswith("b")]
            loss += 0.01 * tf.add_n([tf.nn.l2_loss(v) for v in decayed])
        for name, g in tape.gradient(loss, parameters).items():
            parameters[name].assign_sub(0.1 * g)
        return loss

    yield step, rows(8, 3), rows(8, 1)
    yield rows(8, 3, seed=1), rows(8, 1, seed=1)


@program
def a_convolutional_network():
    filters = [weights(3, 3, 1, 4), weights(3, 3, 4, 4, seed=1)]
    head = weights(4, 3)

    def predicted(x):
        for kernel in filters:
            x = tf.nn.relu(tf.nn.conv2d(x, kernel, strides=1, padding="SAME"))
            x = tf.nn.max_pool2d(x, 2, 2, "VALID")
        return tf.reduce_mean(x, axis=(1, 2)) @ head

    def step(x, y):
        variables = [*filters, head]
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, predicted(x))
            loss = tf.reduce_mean(losses)
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(4, 8, 8, 1), labels(4, 3)
    yield rows(4, 8, 8, 1, seed=1), labels(4, 3, seed=1)


@program
def a_recurrent_network():
    w, u, out = weights(3, 5), weights(5, 5, seed=1), weights(5, 1, seed=2)

    def step(x, y):
        with tf.GradientTape() as tape:
            h = tf.zeros([x.shape[0], 5])
            for t in range(x.shape[1]):
                h = tf.tanh(x[:, t] @ w + h @ u)
            loss = tf.reduce_mean((h @ out - y) ** 2)
        for v, g in zip((w, u, out), tape.gradient(loss, (w, u, out)), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(4, 6, 3), rows(4, 1)
    yield rows(4, 6, 3, seed=1), rows(4, 1, seed=1)


@program
def a_long_short_term_memory():
    size = 4
    w, b = weights(3 + size, 4 * size), tf.Variable(tf.zeros(4 * size))

    def cell(x, state):
        h, c = state
        parts = tf.split(tf.concat([x, h], -1) @ w + b, 4, axis=-1)
        i, f, o = (tf.sigmoid(part) for part in parts[:3])
        c = f * c + i * tf.tanh(parts[3])
        return o * tf.tanh(c), c

    def step(x):
        with tf.GradientTape() as tape:
            state = (tf.zeros([x.shape[0], size]),) * 2
            outputs = []
            for part in tf.unstack(x, axis=1):
                state = cell(part, state)
                outputs.append(state[0])
            loss = tf.reduce_mean(tf.stack(outputs, 1) ** 2)
        w.assign_sub(0.5 * tape.gradient(loss, w))
        return loss

    yield step, rows(2, 5, 3)
    yield rows(2, 5, 3, seed=1)


class Attention:
    def __init__(self, size, heads):
        self.heads = heads
        self.query, self.key, self.value, self.out = (weights(size, size, seed=s) for s in range(4))

    def split(self, x):
        batch, length, size = x.shape
        x = tf.reshape(x, [batch, length, self.heads, size // self.heads])
        return tf.transpose(x, [0, 2, 1, 3])

    def __call__(self, x, mask=None):
        q, k, v = (self.split(x @ w) for w in (self.query, self.key, self.value))
        scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = tf.where(mask, scores, -1e9)
        y = tf.transpose(tf.nn.softmax(scores) @ v, [0, 2, 1, 3])
        return tf.reshape(y, x.shape) @ self.out


@program
def a_transformer_block():
    attention, hidden = Attention(8, heads=2), MLP(8, 16, 8)
    gain, shift = tf.Variable(tf.ones(8)), tf.Variable(tf.zeros(8))

    def normalized(x):
        mean, variance = tf.nn.moments(x, axes=[-1], keepdims=True)
        return gain * (x - mean) * tf.math.rsqrt(variance + 1e-5) + shift

    def step(x):
        causal = tf.linalg.band_part(tf.ones([x.shape[1]] * 2), -1, 0) > 0
        variables = [attention.query, attention.out, gain, shift, *hidden.variables]
        with tf.GradientTape() as tape:
            y = x + attention(normalized(x), mask=causal)
            y = y + hidden(normalized(y))
            loss = tf.reduce_mean(y**2)
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(2, 5, 8)
    yield rows(2, 5, 8, seed=1)


@program
def a_language_model():
    words, size = 11, 6
    table, head = weights(words, size), weights(size, words, seed=1)
    places = tf.constant(
        [[math.sin(t / 10 ** (2 * (i // 2) / size)) for i in range(size)] for t in range(5)]
    )

    def step(tokens):
        with tf.GradientTape() as tape:
            x = tf.nn.embedding_lookup(table, tokens[:, :-1]) + places[: tokens.shape[1] - 1]
            x = tf.math.cumsum(x, axis=1) / np.arange(1, tokens.shape[1])[None, :, None]
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(tokens[:, 1:], x @ head)
            loss = tf.reduce_mean(losses)
        rows_, columns = tape.gradient(loss, [table, head])
        table.scatter_sub(tf.IndexedSlices(0.5 * rows_.values, rows_.indices))
        head.assign_sub(0.5 * columns)
        return tf.exp(loss)

    yield step, tf.reshape(labels(12, words), [2, 6])
    yield tf.reshape(labels(12, words, seed=1), [2, 6])
