"""Functions of cinta and TensorFlow, compiled by XLA or not: the same lines for all."""

import numpy as np

from bench import data
from bench.peers import tape_layers


class Workloads(tape_layers.Layers):
    def __init__(self, library, **options):
        self.tf, self._options = library, options

    def compiled(self, function, *arguments):
        """The call that runs a function as it was recorded, and fetches what it returns."""
        run = self.tf.function(function, **self._options)
        return lambda: [np.asarray(x) for x in run(*arguments)]

    def derivative(self, function, *sources):
        tf = self.tf
        variables = [tf.Variable(each) for each in sources]
        seed = tf.constant(data.normal(*function(*variables).shape))

        def run(seed):
            with tf.GradientTape() as tape:
                y = function(*variables)
            return y, *tape.gradient(y, variables, output_gradients=seed)

        return self.compiled(run, seed)

    def gradients(self, function, *sources):
        """The call for a function that gives a number."""
        tf = self.tf
        variables = [tf.Variable(each) for each in sources]

        def run():
            with tf.GradientTape() as tape:
                y = function(*variables)
            return y, *tape.gradient(y, variables)

        return self.compiled(run)

    def chain(self, steps=data.STEPS):
        def function(x):
            for _ in range(steps):
                x = self.tf.sin(x * data.FACTOR)
            return x

        return self.gradients(function, data.SCALAR)

    def mlp(self, batch=data.BATCH):
        tf = self.tf
        images, labels, parameters = data.mlp(batch)
        images, labels = tf.constant(images), tf.constant(labels)

        def loss(w1, b1, w2, b2, w3, b3):
            h1 = tf.nn.relu(images @ w1 + b1)
            h2 = tf.nn.relu(h1 @ w2 + b2)
            logits = h2 @ w3 + b3
            return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

        return self.gradients(loss, *parameters)

    def elementwise(self):
        tf = self.tf
        return self.gradients(
            lambda x: tf.reduce_sum(tf.sigmoid(x) * tf.tanh(x) + tf.exp(-(x**2))), data.matrix()
        )

    def loop(self, turns=data.TURNS):
        tf = self.tf

        def function(w, x):
            h = x
            for _ in tf.range(turns):
                h = tf.tanh(h @ w + x)
            return tf.reduce_sum(h**2)

        return self.gradients(function, np.float32(0.1) * data.normal(32, 32), data.normal(8, 32))

    def descent(self):
        tf = self.tf
        variables = [tf.Variable(each) for each in data.small()]
        x = tf.constant(data.small()[0])

        @tf.function(**self._options)
        def run(x):
            with tf.GradientTape() as tape:
                y = tf.add_n([tf.reduce_sum(each * x) for each in variables])
            for variable, g in zip(variables, tape.gradient(y, variables), strict=True):
                variable.assign_sub(1e-6 * g)
            return y

        return lambda: [np.asarray(run(x))]

    def updates(self):
        tf = self.tf
        variables = [tf.Variable(each) for each in data.small()]
        x = tf.constant(data.small()[0])

        @tf.function(**self._options)
        def run(x):
            for variable in variables:
                variable.assign(tf.tanh(variable + x))
            return tf.reduce_sum(x)

        return lambda: [np.asarray(run(x))]
