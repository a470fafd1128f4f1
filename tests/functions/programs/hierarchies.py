"""Hierarchies of tf.Module, as Sonnet and people's own libraries have them."""

import functools

import numpy as np

import cinta as tf
from tests.functions.programs.table import labels, numbers, program, rows


def once(method):
    """Run a method at most once for each object, as Sonnet does to make variables."""

    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        if method.__name__ not in self._done:
            self._done.add(method.__name__)
            method(self, *args, **kwargs)

    return wrapper


class Linear(tf.Module):
    """Variables are made at the first call, when the size of the input is known."""

    def __init__(self, size, with_bias=True, name=None):
        super().__init__(name=name)
        self.size, self.with_bias = size, with_bias
        self._done = set()

    @once
    def _initialize(self, x):
        w = numbers(x.shape[-1], self.size, seed=self.size) / np.sqrt(x.shape[-1])
        self.w = tf.Variable(w.astype(np.float32), name="w")
        if self.with_bias:
            self.b = tf.Variable(tf.zeros(self.size), name="b")

    @tf.Module.with_name_scope
    def __call__(self, x):
        self._initialize(x)
        y = x @ self.w
        return y + self.b if self.with_bias else y


class Sequential(tf.Module):
    def __init__(self, layers, name=None):
        super().__init__(name=name)
        self._layers = list(layers)

    def __call__(self, x, *args, **kwargs):
        for i, layer in enumerate(self._layers):
            x = layer(x, *args, **kwargs) if i == 0 else layer(x)
        return x


class LayerNorm(tf.Module):
    def __init__(self, size, epsilon=1e-5):
        super().__init__()
        self.epsilon = epsilon
        self.gain, self.shift = tf.Variable(tf.ones(size)), tf.Variable(tf.zeros(size))

    def __call__(self, x):
        mean, variance = tf.nn.moments(x, -1, keepdims=True)
        return tf.nn.batch_normalization(
            x, mean, variance, self.shift, self.gain, variance_epsilon=self.epsilon
        )


class BatchNorm(tf.Module):
    def __init__(self, size, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.mean = tf.Variable(tf.zeros(size), trainable=False)
        self.variance = tf.Variable(tf.ones(size), trainable=False)

    def __call__(self, x, is_training):
        if is_training:
            mean, variance = tf.nn.moments(x, 0)
            for average, now in ((self.mean, mean), (self.variance, variance)):
                average.assign(self.momentum * average + (1 - self.momentum) * now)
        else:
            mean, variance = self.mean, self.variance
        return (x - mean) / tf.sqrt(variance + 1e-3)


class Dropout(tf.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate, self.count = rate, tf.Variable(0, trainable=False)

    def __call__(self, x, is_training):
        if not is_training or self.rate == 0:
            return x
        kept = tf.random.stateless_uniform(x.shape, [3, self.count.assign_add(1)]) >= self.rate
        return tf.where(kept, x / (1 - self.rate), 0.0)


class Momentum(tf.Module):
    def __init__(self, rate, momentum=0.9):
        super().__init__()
        self.rate, self.momentum, self.sums = rate, momentum, []

    def apply(self, gradients, variables):
        if not self.sums:
            self.sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]
        for v, g, s in zip(variables, gradients, self.sums, strict=True):
            s.assign(self.momentum * s + g)
            v.assign_sub(self.rate * s)


@program
def a_module():
    model = Linear(2)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        for v, g in zip(
            model.trainable_variables, tape.gradient(loss, model.trainable_variables), strict=True
        ):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def modules_in_modules():
    model = Sequential([Linear(6, name="first"), tf.nn.gelu, LayerNorm(6), Linear(2, name="last")])
    optimizer = Momentum(0.1)

    def step(x, y):
        with tf.GradientTape() as tape:
            logits = model(x)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        variables = model.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
        return loss

    yield step, rows(6, 3), labels(6, 2)
    yield rows(6, 3, seed=1), labels(6, 2, seed=1)


@program
def modules_that_train_and_test():
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.linear, self.norm = Linear(4), BatchNorm(4)
            self.dropout, self.head = Dropout(0.5), Linear(1, with_bias=False)

        def __call__(self, x, is_training=False):
            x = tf.nn.relu(self.norm(self.linear(x), is_training))
            return self.head(self.dropout(x, is_training))

    model = Model()

    def step(x, is_training):
        return model(x, is_training=is_training)

    yield step, rows(6, 3), True
    yield rows(6, 3), False
    yield rows(6, 3, seed=1), True


@program
def a_method_of_a_module():
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.parts = {"encoder": Linear(4), "decoder": Linear(3)}
            self.steps = tf.Variable(0, trainable=False)

        @tf.function
        def reconstructed(self, x):
            return self.parts["decoder"](tf.nn.relu(self.parts["encoder"](x)))

        @property
        def rate(self):
            return 0.1 / (1.0 + tf.cast(self.steps, tf.float32))

        def train(self, x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((self.reconstructed(x) - x) ** 2)
            variables = self.trainable_variables
            for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
                v.assign_sub(self.rate * g)
            self.steps.assign_add(1)
            return loss

    yield Model().train, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def a_residual_network():
    class Block(tf.Module):
        def __init__(self, size):
            super().__init__()
            self.w = tf.Variable(0.1 * numbers(3, 3, size, size))
            self.norm = LayerNorm(size)

        def __call__(self, x):
            return x + tf.nn.relu(self.norm(tf.nn.conv2d(x, self.w, 1, "SAME")))

    class Network(tf.Module):
        def __init__(self, depth, size):
            super().__init__()
            self.blocks = [Block(size) for _ in range(depth)]
            self.head = Linear(2)

        def __call__(self, x):
            for block in self.blocks:
                x = block(x)
            return self.head(tf.reduce_mean(x, [1, 2]))

    network = Network(depth=3, size=2)

    def step(x, y):
        with tf.GradientTape() as tape:
            logits = network(x)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        variables = network.trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(2, 4, 4, 2), labels(2, 2)
    yield rows(2, 4, 4, 2, seed=1), labels(2, 2, seed=1)


@program
def a_module_that_shares_weights():
    class Tied(tf.Module):
        def __init__(self, words, size):
            super().__init__()
            self.table = tf.Variable(numbers(words, size))

        def embedded(self, tokens):
            return tf.gather(self.table, tokens)

        def scored(self, x):
            return tf.matmul(x, self.table, transpose_b=True)

    model = Tied(7, 3)

    def step(tokens):
        with tf.GradientTape() as tape:
            scores = model.scored(model.embedded(tokens[:-1]))
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(tokens[1:], scores)
            )
        model.table.assign_sub(tf.convert_to_tensor(tape.gradient(loss, model.table)))
        return loss

    yield step, labels(6, 7)
    yield labels(6, 7, seed=1)


@program
def a_graph_network():
    edges = np.array([[0, 1], [1, 2], [2, 0], [3, 0]])
    message, update = Linear(4), Linear(4)

    def step(nodes):
        for _ in range(2):
            senders, receivers = edges.T
            sent = tf.nn.relu(message(tf.gather(nodes, senders)))
            gathered = tf.math.unsorted_segment_sum(sent, receivers, nodes.shape[0])
            nodes = update(tf.concat([nodes, gathered], -1))
        return tf.reduce_sum(nodes, 0)

    yield step, rows(4, 4)
    yield rows(4, 4, seed=1)
