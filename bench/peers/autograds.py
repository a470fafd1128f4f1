"""autograd, on NumPy as it comes. It has no sparse gradient."""

import autograd
import autograd.numpy as np
from autograd import value_and_grad

from bench import data


class Workloads:
    def __init__(self, library):
        assert library is autograd

    def square(self):
        derivative = value_and_grad(lambda x: x**2)
        return lambda: derivative(data.SCALAR)

    def chain(self, steps=data.STEPS):
        def function(x):
            for _ in range(steps):
                x = np.sin(x * data.FACTOR)
            return x

        derivative = value_and_grad(function)
        return lambda: derivative(data.SCALAR)

    def mlp(self, batch=data.BATCH):
        images, labels, parameters = data.mlp(batch)
        rows = np.arange(batch)

        def loss(parameters):
            w1, b1, w2, b2, w3, b3 = parameters
            h1 = np.maximum(images @ w1 + b1, 0)
            h2 = np.maximum(h1 @ w2 + b2, 0)
            logits = h2 @ w3 + b3
            logits = logits - np.max(logits, axis=1, keepdims=True)
            return np.mean(np.log(np.sum(np.exp(logits), axis=1)) - logits[rows, labels])

        derivative = value_and_grad(loss)

        def run():
            value, gradients = derivative(parameters)
            return [value, *gradients]

        return run

    def elementwise(self):
        x = data.matrix()
        derivative = value_and_grad(
            lambda x: np.sum(np.tanh(x) / (1 + np.exp(-x)) + np.exp(-(x**2)))
        )
        return lambda: derivative(x)
