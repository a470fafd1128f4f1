"""Box and Muller's normal numbers: a point of the plane in polar coordinates.

In float32 the functions are evaluated in float64 and rounded once, so they are right to the last
bit, as in the newest C libraries. TensorFlow on an older one differs in the last bit of some one
number in seventy; in float64 the last bit is NumPy's.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

_LEAST = np.float32(1e-7)  # what a uniform number of 0 is taken for, as it has no logarithm
_BITS = 23  # of a random word that a float32 takes in
_MANTISSA = np.uint64((1 << _BITS) - 1)
_COARSE = 12  # of those bits that tell which direction of the table is near


def narrow_pairs(radii: Any, angles: Any) -> tuple[Any, Any]:
    """Two arrays of float32 normal numbers from two of random words."""
    uniform = (radii & _MANTISSA).view(np.int64) * 2.0**-_BITS
    logarithm = np.log(np.maximum(uniform, float(_LEAST))).astype(np.float32)
    radius = np.sqrt(np.float32(-2) * logarithm)
    sine, cosine = _turn((angles & _MANTISSA).view(np.int64))
    return sine * radius, cosine * radius


def wide_pairs(radii: Any, angles: Any) -> tuple[Any, Any]:
    """Two arrays of float64 normal numbers from two of uniform ones."""
    radius = np.sqrt(-2 * np.log(np.maximum(radii, 1e-7)))
    angle = 2 * math.pi * angles
    return np.sin(angle) * radius, np.cos(angle) * radius


def _turn(steps: Any) -> tuple[Any, Any]:
    """Sine and cosine, as float32, of turning by so many of 2²³ steps to the full circle.

    By the sum of two angles: one of a table, and a rest that is so small that a few terms of the
    series do.
    """
    angle = (steps * (2 * math.pi * 2.0**-_BITS)).astype(np.float32)
    near = steps >> (_BITS - _COARSE)
    rest = angle - near * (2 * math.pi / (1 << _COARSE))
    square = rest * rest
    small_sine = rest * (1 - square * (1 / 6))
    small_cosine = 1 - square * (0.5 - square * (1 / 24))
    sines, cosines = _directions()
    sine, cosine = sines.take(near), cosines.take(near)
    up = sine * small_cosine + cosine * small_sine
    right = cosine * small_cosine - sine * small_sine
    return up.astype(np.float32), right.astype(np.float32)


@cache
def _directions() -> tuple[Any, Any]:
    """Sine and cosine of the angles of the table."""
    angles = np.arange(1 << _COARSE) * (2 * math.pi / (1 << _COARSE))
    return np.sin(angles), np.cos(angles)
