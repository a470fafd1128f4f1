"""Gradients checked against finite differences."""

import numpy as np

import cinta as tf

STEP = 1e-5


def check_gradients(f, *inputs, order=2, rtol=1e-6, atol=1e-6):
    """Assert that the tape differentiates ``f`` rightly, up to the given order.

    ``f`` takes tensors and returns a tensor or a nest of them. The inputs are arrays: real ones are
    made float64, complex ones complex128, and all others are constants. Derivatives of higher order
    are checked as first derivatives of the gradient, so a failure names the order that is wrong.
    """
    arrays = [_wide(x) for x in inputs]
    weights = [_weights(out, k) for k, out in enumerate(_results(f, arrays))]
    for level in range(1, order + 1):
        _check_first_order(f, arrays, weights, level, rtol, atol)
        f = _gradient(f, weights)
        weights = [_weights(out, k) for k, out in enumerate(_results(f, arrays))]


def _wide(x):
    array = np.asarray(x)
    wide = {"f": np.float64, "V": np.float64, "c": np.complex128}
    return array.astype(wide.get(array.dtype.kind, array.dtype))


def _smooth(array):
    return array.dtype.kind in "fc"


def _results(f, arrays):
    return tf.nest.flatten(f(*[tf.constant(x) for x in arrays]))


def _weights(out, seed):
    """Fixed random numbers that make one number of a result."""
    draw = np.random.default_rng(seed).standard_normal
    if not _smooth(out.numpy()):
        return np.zeros(out.shape, out.numpy().dtype)
    if out.dtype.is_complex:
        return (draw(out.shape) + 1j * draw(out.shape)).astype(out.numpy().dtype)
    return np.asarray(draw(out.shape), out.numpy().dtype)


def _gradient(f, weights):
    """The function that gives the weighted gradients of ``f``."""

    def gradient(*tensors):
        sources = [x for x in tensors if _smooth(x.numpy())]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            targets = tf.nest.flatten(f(*tensors))
        seeds = [tf.constant(w) for w in weights]
        found = tape.gradient(targets, sources, seeds, tf.UnconnectedGradients.ZERO)
        return [tf.convert_to_tensor(g) for g in found]

    return gradient


def _check_first_order(f, arrays, weights, level, rtol, atol):
    found = _results(_gradient(f, weights), arrays)
    smooth = [k for k, x in enumerate(arrays) if _smooth(x)]
    for k, gradient in zip(smooth, found, strict=True):
        expected = _differences(f, arrays, weights, k)
        assert gradient.shape == expected.shape, (
            f"order {level}: the gradient of input {k} has shape {gradient.shape}, "
            f"but the input has {expected.shape}"
        )
        excess = abs(gradient.numpy() - expected) - (atol + rtol * abs(expected))
        if not np.all(excess <= 0):
            worst = np.unravel_index(np.argmax(np.nan_to_num(excess, nan=np.inf)), excess.shape)
            where = list(map(int, worst))
            raise AssertionError(
                f"order {level}: the gradient of input {k} at {where} is "
                f"{gradient.numpy()[worst]}, finite differences give {expected[worst]}.\n"
                f"The inputs are {arrays}."
            )


def _differences(f, arrays, weights, k):
    """The gradient of the weighted result with respect to the k-th input, numerically."""

    def value():
        outs = [out.numpy() for out in _results(f, arrays)]
        return sum(np.sum(np.real(np.conj(w) * out)) for w, out in zip(weights, outs, strict=True))

    arrays = [x.copy() for x in arrays]
    x = arrays[k]
    gradient = np.zeros_like(x)
    directions = (1, 1j) if x.dtype.kind == "c" else (1,)
    for i in np.ndindex(x.shape):
        at = x[i]
        step = STEP * max(1.0, abs(at))
        for direction in directions:
            x[i] = at + step * direction
            above = value()
            x[i] = at - step * direction
            below = value()
            gradient[i] += direction * (above - below) / (2 * step)
        x[i] = at
    return gradient
