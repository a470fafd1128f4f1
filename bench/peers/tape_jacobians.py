"""Jacobians and Hessians for cinta and TensorFlow: the same lines for both."""

import numpy as np

from bench import data


class Jacobians:
    """The workloads, by a tape and for the Hessian by a tape in a tape."""

    def jacobian(self):
        tf = self.tf
        x, w = map(tf.constant, data.layer())

        def run():
            with tf.GradientTape() as tape:
                tape.watch(w)
                y = tf.tanh(x @ w)
            return [np.asarray(tape.jacobian(y, w))]

        return run

    def per_example(self):
        tf = self.tf
        images, labels, parameters = data.examples()
        rows = tf.constant(images), tf.constant(labels)
        variables = w1, b1, w2, b2 = [tf.Variable(x) for x in parameters]
        loss_of = tf.nn.sparse_softmax_cross_entropy_with_logits

        def gradients(row):
            image, label = row
            with tf.GradientTape() as tape:
                hidden = tf.nn.relu(image[None] @ w1 + b1)
                loss = loss_of(labels=label[None], logits=hidden @ w2 + b2)
            return tape.gradient(loss, variables)

        def run():
            return [np.asarray(g) for g in tf.vectorized_map(gradients, rows)]

        return run

    def batch_jacobian(self):
        tf = self.tf
        x, w1, w2 = map(tf.constant, data.layers())

        def run():
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.tanh(x @ w1) @ w2
            return [np.asarray(tape.batch_jacobian(y, x))]

        return run

    def dense_hessian(self):
        return self._of_gradient(lambda tape, gradient, x: tape.jacobian(gradient, x))

    def tangent(self):
        tf = self.tf
        x, one = tf.constant(data.SCALAR), tf.constant(np.float32(1))

        def run():
            with tf.autodiff.ForwardAccumulator(x, one) as accumulator:
                y = x
                for _ in range(data.STEPS):
                    y = tf.sin(y * data.FACTOR)
            return [np.asarray(accumulator.jvp(y))]

        return run

    def hessian_product(self):
        return self._of_gradient(
            lambda tape, gradient, x: tape.gradient(gradient, x, output_gradients=x)
        )

    def _of_gradient(self, derivative):
        """A derivative of the gradient of the curved function, taken by an outer tape."""
        tf = self.tf
        a, x = map(tf.constant, data.curved())

        def run():
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = curved(tf, a, x)
                gradient = inner.gradient(y, x)
            return [np.asarray(derivative(outer, gradient, x))]

        return run

    def hessian_tangent(self):
        tf = self.tf
        a, x = map(tf.constant, data.curved())

        def run():
            with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = curved(tf, a, x)
                gradient = tape.gradient(y, x)
            return [np.asarray(accumulator.jvp(gradient))]

        return run


def curved(tf, a, x):
    """A number whose Hessian is dense."""
    return tf.reduce_sum(tf.sin(tf.linalg.matvec(a, x)) * tf.tanh(x)) + tf.reduce_sum(x**4)
