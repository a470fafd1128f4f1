"""Jacobians and Hessians for JAX without `jit`."""

import jax
import jax.numpy as jnp
import numpy as np

from bench import data


def timed(derivative, argument):
    return lambda: [np.asarray(derivative(argument))]


class Jacobians:
    def jacobian(self):
        x, w = map(jnp.asarray, data.layer())
        return timed(jax.jacrev(lambda w: jnp.tanh(x @ w)), w)

    def per_example(self):
        images, labels, parameters = data.examples()

        def loss(parameters, image, label):
            w1, b1, w2, b2 = parameters
            logits = jax.nn.relu(image @ w1 + b1) @ w2 + b2
            return -jax.nn.log_softmax(logits)[label]

        gradients = jax.vmap(jax.grad(loss), (None, 0, 0))
        given = [*map(jnp.asarray, parameters)], jnp.asarray(images), jnp.asarray(labels)
        return lambda: [np.asarray(g) for g in gradients(*given)]

    def batch_jacobian(self):
        x, w1, w2 = map(jnp.asarray, data.layers())
        return timed(jax.vmap(jax.jacrev(lambda x: jnp.tanh(x @ w1) @ w2)), x)

    def dense_hessian(self):
        a, x = map(jnp.asarray, data.curved())
        return timed(jax.hessian(lambda x: curved(a, x)), x)

    def tangent(self):
        x = jnp.asarray(data.SCALAR)
        return timed(lambda x: jax.jvp(chain, (x,), (jnp.ones_like(x),))[1], x)

    def hessian_product(self):
        a, x = map(jnp.asarray, data.curved())
        return timed(lambda x: jax.vjp(jax.grad(lambda x: curved(a, x)), x)[1](x)[0], x)

    def hessian_tangent(self):
        a, x = map(jnp.asarray, data.curved())
        return timed(lambda x: jax.jvp(jax.grad(lambda x: curved(a, x)), (x,), (x,))[1], x)


def curved(a, x):
    return jnp.sum(jnp.sin(a @ x) * jnp.tanh(x)) + jnp.sum(x**4)


def chain(x):
    for _ in range(data.STEPS):
        x = jnp.sin(x * data.FACTOR)
    return x
