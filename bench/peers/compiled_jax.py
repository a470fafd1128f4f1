"""JAX under `jit`."""

import jax
import jax.numpy as jnp
import numpy as np

from bench import data


def compiled(function, *arguments):
    """The call that runs a function as XLA makes it, and fetches what it returns."""
    run = jax.jit(function)
    arguments = jax.tree.map(jnp.asarray, arguments)
    return lambda: [np.asarray(leaf) for leaf in jax.tree.leaves(run(*arguments))]


def gradients(function, *sources):
    """The call for a function that gives a number, by all its arguments."""
    return compiled(jax.value_and_grad(function, tuple(range(len(sources)))), *sources)


def derivative(function, *sources):
    """The call for any function; a gradient of the result is given."""

    def run(seed, *sources):
        y, pull = jax.vjp(function, *sources)
        return y, *pull(seed)

    return compiled(run, data.normal(*jax.eval_shape(function, *sources).shape), *sources)


def normed(x, scale, shift):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + shift


class Workloads:
    def __init__(self, library):
        assert library is jax

    def chain(self, steps=data.STEPS):
        def function(x):
            for _ in range(steps):
                x = jnp.sin(x * data.FACTOR)
            return x

        return gradients(function, data.SCALAR)

    def mlp(self, batch=data.BATCH):
        images, labels, parameters = data.mlp(batch)
        rows = jnp.arange(batch)

        def loss(images, labels, parameters):
            w1, b1, w2, b2, w3, b3 = parameters
            h1 = jax.nn.relu(images @ w1 + b1)
            h2 = jax.nn.relu(h1 @ w2 + b2)
            return -jax.nn.log_softmax(h2 @ w3 + b3)[rows, labels].mean()

        return compiled(jax.value_and_grad(loss, 2), images, labels, parameters)

    def elementwise(self):
        return gradients(
            lambda x: jnp.sum(jax.nn.sigmoid(x) * jnp.tanh(x) + jnp.exp(-(x**2))), data.matrix()
        )

    def convolution(self):
        images, names = data.images(), ("NHWC", "HWIO", "NHWC")

        def convolved(filters, images):
            strides = (1, 1)
            return jax.lax.conv_general_dilated(
                images, filters, strides, "SAME", dimension_numbers=names
            )

        def run(images, seed, filters):  # images that XLA knew beforehand, it would transpose then
            y, pull = jax.vjp(lambda filters: convolved(filters, images), filters)
            return y, *pull(seed)

        return compiled(run, images, data.normal(32, 28, 28, 32), data.normal(3, 3, 16, 32))

    def attention(self):
        x, parameters = data.attention()
        heads, depth = data.HEADS, data.WIDTH // data.HEADS
        batch, positions, width = x.shape

        def attended(x, p):
            parts = (x @ p["qkv"] + p["qkv_bias"]).reshape(batch, positions, 3, heads, depth)
            q, k, v = parts.transpose(2, 0, 3, 1, 4)
            weights = jax.nn.softmax(q @ k.swapaxes(-1, -2) * depth**-0.5)
            seen = (weights @ v).transpose(0, 2, 1, 3)
            return seen.reshape(batch, positions, width) @ p["mix"] + p["mix_bias"]

        def block(x, *values):
            p = dict(zip(parameters, values, strict=True))
            x = x + attended(normed(x, p["scale1"], p["shift1"]), p)
            h = normed(x, p["scale2"], p["shift2"])
            h = jax.nn.gelu(h @ p["up"] + p["up_bias"], approximate=False)
            return x + (h @ p["down"] + p["down_bias"])

        return derivative(block, x, *parameters.values())

    def loop(self, turns=data.TURNS):
        def function(w, x):
            def turn(h, _):
                return jnp.tanh(h @ w + x), None

            return jnp.sum(jax.lax.scan(turn, x, length=turns)[0] ** 2)

        return gradients(function, np.float32(0.1) * data.normal(32, 32), data.normal(8, 32))

    def descent(self):
        state = [jnp.asarray(each) for each in data.small()]
        x = state[0]

        def loss(state, x):
            return sum(jnp.sum(each * x) for each in state)

        @jax.jit
        def step(state, x):
            y, gradients = jax.value_and_grad(loss)(state, x)
            return y, [each - 1e-6 * g for each, g in zip(state, gradients, strict=True)]

        def run():
            nonlocal state
            y, state = step(state, x)
            return [np.asarray(y)]

        return run

    def updates(self):
        state = [jnp.asarray(each) for each in data.small()]
        x = state[0]

        @jax.jit
        def step(x, state):
            return jnp.sum(x), [jnp.tanh(each + x) for each in state]

        def run():
            nonlocal state
            y, state = step(x, state)
            return [np.asarray(y)]

        return run
