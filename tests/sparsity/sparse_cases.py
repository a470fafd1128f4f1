"""Common parts of the tests of sparse derivatives: functions, and checks against dense ones."""

import numpy as np

import cinta as tf
from cinta.autodiff import sparse_hessian_plan, sparse_jacobian_plan


def numbers(*shape, seed=0):
    return tf.constant(np.random.default_rng(seed).standard_normal(shape))


def dense_jacobian(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    found = tape.jacobian(y, x, "zero").numpy()
    return found.reshape(y._array.size, x._array.size)


def dense_hessian(f, x):
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tf.convert_to_tensor(tape.gradient(y, x, unconnected_gradients="zero"))

    return dense_jacobian(gradient, x)


def is_right(f, x, products=None, nonzeros=None):
    """Check a Jacobian against the dense one; how many products and nonzeros it may have."""
    plan = sparse_jacobian_plan(f, x)
    expected = dense_jacobian(f, x)
    found = plan(x)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found.toarray(), expected, rtol=1e-10, atol=1e-10)
    return fits(plan, products, nonzeros)


def hessian_is_right(f, x, products=None, nonzeros=None):
    plan = sparse_hessian_plan(f, x)
    expected = dense_hessian(f, x)
    np.testing.assert_allclose(plan(x).toarray(), expected, rtol=1e-10, atol=1e-10)
    return fits(plan, products, nonzeros)


def fits(plan, products, nonzeros):
    used = len(set(plan.columns) - {-1}) + len(set(plan.rows) - {-1})
    assert products is None or used <= products
    assert nonzeros is None or plan.nnz == nonzeros
    return plan


def tridiagonal(x):
    zero = tf.zeros([1], x.dtype)
    left, right = tf.concat([zero, x[:-1]], 0), tf.concat([x[1:], zero], 0)
    return x * x - left * right + tf.sin(left)


def rosenbrock(x):
    return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
