"""Measures the compiled functions of this process against references in double precision.

    python -m tests.kernels.measuring

prints a JSON object: the kind of processor, and for each function its worst error.
"""

from __future__ import annotations

import json

import cinta_kernels
import numpy as np
from scipy.special import ndtr

RATE, CUBIC = 2 * np.sqrt(2 / np.pi), float(np.float32(0.044715))
SMALLEST_NORMAL = np.float32(2.0**-126)


def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def slope(x):
    return sigmoid(x) * sigmoid(-x)


def twice_the_cubic(x):
    return RATE * x * (1 + CUBIC * x * x)


def gelu_slope(x):
    return ndtr(x) + x * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


def tanh_gelu_slope(x):
    cubic = twice_the_cubic(x)
    inner = RATE * (1 + 3 * CUBIC * x * x)
    return sigmoid(cubic) + np.where(slope(cubic) == 0, 0, x * inner * slope(cubic))


OF_ONE = {
    "exp": np.exp,
    "log": np.log,
    "log1p": np.log1p,
    "softplus": lambda x: np.logaddexp(x, 0),
    "tanh": np.tanh,
    "sigmoid": sigmoid,
    "sigmoid_slope": slope,
    "silu": lambda x: x * sigmoid(x),
    "silu_slope": lambda x: sigmoid(x) * (1 + x * sigmoid(-x)),
    "gelu": lambda x: x * ndtr(x),
    "gelu_slope": gelu_slope,
    "tanh_gelu": lambda x: x * sigmoid(twice_the_cubic(x)),
    "tanh_gelu_slope": tanh_gelu_slope,
}


def numbers():
    """Finite numbers of all sizes, more of them where functions bend, and those at the edges."""
    random = np.random.default_rng(0)
    edges = [0.0, 1.0, 0.625, 20.0, 14.0, 87.3, 88.8, 89.0, 103.9, 104.1, 200.0, 1e-45, 3e38]
    parts = [
        random.integers(0, 2**32, 400_000, dtype=np.uint32).view(np.float32),
        random.normal(scale=3, size=400_000),
        random.uniform(-110, 110, 200_000),
        edges,
        np.negative(edges),
    ]
    x = np.concatenate([np.asarray(part, np.float32) for part in parts])
    return x[np.isfinite(x)]


def called(name, x):
    function = getattr(cinta_kernels, name)
    return function(x, cinta_kernels.gelu(x)) if function.nin == 2 else function(x)


def errors_of(name, x):
    """The worst error in units of the last place, and the worst among results up to 2, absolute."""
    with np.errstate(all="ignore"):
        want = OF_ONE[name](x.astype(np.float64))
        near = want.astype(np.float32)
        got = called(name, x)
        unit = np.spacing(np.maximum(np.abs(near), SMALLEST_NORMAL)).astype(np.float64)
        off = np.abs(got - want)
        finite = np.isfinite(near)
        assert np.array_equal(got[~finite], near[~finite], equal_nan=True), name
    units = float((off[finite] / unit[finite]).max())
    return units, float(off[finite & (np.abs(near) <= 2)].max())


if __name__ == "__main__":
    x = numbers()
    worst = {name: errors_of(name, x) for name in OF_ONE}
    print(json.dumps({"processor": cinta_kernels.processor, "worst": worst}))
