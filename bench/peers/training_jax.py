"""Training steps of JAX under `jit`, with Adam by its formula and scans for sequences."""

import jax
import jax.numpy as jnp
import numpy as np

from bench import data
from bench.peers.compiled_jax import normed


def adam(state, gradients, rate=1e-3, epsilon=1e-7):
    """Adam as Keras has it (Kingma and Ba 2015, the formula before their section 2.1)."""
    count, parameters, means, squares = state
    count += 1
    step = rate * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    tree = jax.tree.map
    means = tree(lambda m, g: m + 0.1 * (g - m), means, gradients)
    squares = tree(lambda v, g: v + 0.001 * (g * g - v), squares, gradients)
    parameters = tree(
        lambda p, m, v: p - step * m / (jnp.sqrt(v) + epsilon), parameters, means, squares
    )
    return count, parameters, means, squares


class Workloads:
    def __init__(self, library):
        assert library is jax

    def trained(self, given, logits_of):
        x, labels, parameters = jax.tree.map(jnp.asarray, given)

        def loss(parameters):
            logs = jax.nn.log_softmax(logits_of(x, parameters))
            return -jnp.take_along_axis(logs, labels[:, None], 1).mean()

        @jax.jit
        def step(state):
            value, gradients = jax.value_and_grad(loss)(state[1])
            return adam(state, gradients), value

        zeros = jax.tree.map(jnp.zeros_like, parameters)
        state = jnp.float32(0), parameters, zeros, zeros

        def run():
            nonlocal state
            state, value = step(state)
            jax.block_until_ready(state)
            return [np.asarray(value)]

        return run

    def mlp(self):
        relu = jax.nn.relu

        def logits(x, p):
            hidden = relu(relu(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"])
            return hidden @ p["w3"] + p["b3"]

        return self.trained(data.trained_mlp(), logits)

    def cnn(self):
        def logits(x, p):
            for filters, bias in (("f1", "b1"), ("f2", "b2")):
                x = jax.lax.conv_general_dilated(
                    x, p[filters], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
                )
                x = jax.nn.relu(x + p[bias])
                x = jax.lax.reduce_window(
                    x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"
                )
            return x.reshape(len(x), -1) @ p["w"] + p["b"]

        return self.trained(data.trained_cnn(), logits)

    def transformer(self):
        def block(x, p):
            parts = normed(x, p["scale1"], p["shift1"]) @ p["qkv"] + p["qkv_bias"]
            parts = parts.reshape(*x.shape[:2], 3, data.HEADS, -1)
            seen = jax.nn.dot_product_attention(*jnp.moveaxis(parts, 2, 0))
            x = x + (seen.reshape(x.shape) @ p["mix"] + p["mix_bias"])
            hidden = normed(x, p["scale2"], p["shift2"]) @ p["up"] + p["up_bias"]
            return x + (jax.nn.gelu(hidden, approximate=False) @ p["down"] + p["down_bias"])

        def logits(x, p):
            for i in range(2):
                x = block(x, {key[:-2]: p[key] for key in p if key.endswith(f"/{i}")})
            return x.reshape(-1, data.WIDTH) @ p["w"] + p["b"]

        return self.trained(data.trained_transformer(), logits)

    def lstm(self):
        def logits(x, p):
            def step(state, said):
                h, c = state
                i, f, new, o = jnp.split(said + h @ p["recurrent"], 4, axis=-1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(new)
                return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

            start = jnp.zeros((x.shape[1], len(p["recurrent"])))
            (last, _), _ = jax.lax.scan(step, (start, start), x @ p["kernel"] + p["gates"])
            return last @ p["w"] + p["b"]

        return self.trained(data.trained_lstm(), logits)
