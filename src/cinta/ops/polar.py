"""Box and Muller's normal numbers: a point of the plane in polar coordinates.

In float32 the functions are evaluated in float64 and rounded once, so they are right to the last
bit, as in the newest C libraries. TensorFlow on an older one differs in the last bit of some one
number in seventy; in float64 the last bit is NumPy's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_LEAST = 1e-7  # what a uniform number of 0 is taken for, as it has no logarithm

# sin(x)/x and cos(x) as polynomials in x², highest power first: their Taylor series, which to this
# order are good to 14 digits on [-π/4, π/4]
_SINE = tuple((-1) ** k / math.factorial(2 * k + 1) for k in reversed(range(7)))
_COSINE = tuple((-1) ** k / math.factorial(2 * k) for k in reversed(range(8)))


def normal_pairs(first: Any, second: Any) -> tuple[Any, Any]:
    """Two arrays of normal numbers from two of uniform ones, all float32 or all float64."""
    dtype = first.dtype.type
    radius = np.log(np.maximum(first, dtype(_LEAST)).astype(np.float64)).astype(dtype)
    radius = np.sqrt(dtype(-2) * radius)
    angle = (2 * math.pi * second.astype(np.float64)).astype(dtype)
    sine, cosine = _turn(angle) if dtype is np.float32 else (np.sin(angle), np.cos(angle))
    return sine * radius, cosine * radius


def _turn(angle: Any) -> tuple[Any, Any]:
    """Sine and cosine of float32 angles from 0 to 2π."""
    x = angle.astype(np.float64)
    quarter = np.floor(x * (2 / math.pi) + 0.5)
    x -= quarter * (math.pi / 2)
    square = x * x
    sine, cosine = _polynomial(_SINE, square) * x, _polynomial(_COSINE, square)
    turns = quarter.astype(np.int8)
    swap = (turns & 1).astype(bool)
    up = np.where(swap, cosine, sine) * (1 - (turns & 2))
    right = np.where(swap, sine, cosine) * (1 - ((turns + 1) & 2))
    return up.astype(np.float32), right.astype(np.float32)


def _polynomial(coefficients: tuple[float, ...], x: Any) -> Any:
    result = coefficients[0] * x + coefficients[1]
    for coefficient in coefficients[2:]:
        result *= x
        result += coefficient
    return result
