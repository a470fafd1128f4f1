"""Box and Muller's normal numbers (1958): a point of the plane in polar coordinates.

In float32 the functions are evaluated in float64 and rounded once, so they are right to the last
bit, as in the newest C libraries. TensorFlow on an older one differs in the last bit of some one
number in seventy; in float64 the last bit is NumPy's.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ...engine.tensor import Array


_LEAST = float(np.float32(1e-7))  # stands for a uniform number of 0, which has no logarithm
_BITS = 23  # of a random word that a float32 takes in
_MANTISSA = (1 << _BITS) - 1
_DIRECTIONS = 1 << 13  # that the table knows
# A float64 of this size has its last bit worth 2⁻²³: the bits of a word become a fraction.
_SCALE = 2.0 ** (52 - _BITS)
_SCALE_BITS = int(np.float64(_SCALE).view(np.uint64))
_TO_INTEGER = 1.5 * 2.0**52  # so large that what is added to it is rounded to an integer


def narrow_points(radii: Array, angles: Array, out: Array) -> None:
    """Write points with coordinates of float32, as complex64, from two arrays of random words."""
    np.multiply(_turn(_fractions(angles)), _radius(_fractions(radii)), out=out)


def wide_points(radii: Array, angles: Array) -> tuple[Any, Any]:
    """The coordinates of points, of float64, from two arrays of uniform numbers."""
    radius, angle = wide_polar(radii, angles)
    return np.sin(angle) * radius, np.cos(angle) * radius


def wide_polar(radii: Array, angles: Array) -> tuple[Any, Any]:
    """Radius and angle of such points."""
    return np.sqrt(-2 * np.log(np.maximum(radii, 1e-7))), 2 * math.pi * angles


def _fractions(words: Array) -> Array:
    """The low bits of words as float64 numbers in [0, 1)."""
    bits = words & _MANTISSA
    bits |= _SCALE_BITS
    fractions = bits.view(np.float64)
    fractions -= _SCALE
    return fractions


def _radius(uniform: Array) -> Array:
    """The radius, as float32; what is given is written to."""
    np.maximum(uniform, _LEAST, out=uniform)
    logarithm = np.log(uniform, out=uniform).astype(np.float32)
    logarithm *= np.float32(-2)
    return np.sqrt(logarithm, out=logarithm)


def _turn(turns: Array) -> Any:
    """Sine and cosine, as complex64, of a part of the full circle; what is given is written to.

    By the sum of two angles: one of a table, and a rest. The rest is at most r = π / 2¹³, so two
    terms of each series suffice: the next ones, r⁴ / 24 and r⁵ / 120, are below 10⁻¹⁵.
    """
    nearest = turns * _DIRECTIONS
    nearest += _TO_INTEGER
    table = _directions().take(nearest.view(np.int64) & (_DIRECTIONS - 1))
    nearest -= _TO_INTEGER
    nearest *= 2 * math.pi / _DIRECTIONS
    turns *= 2 * math.pi
    rest = np.subtract(turns.astype(np.float32), nearest, out=nearest)
    square = np.multiply(rest, rest, out=turns)
    small = np.empty_like(table)
    np.subtract(1, square * 0.5, out=small.real)
    square *= 1 / 6
    square -= 1
    np.multiply(square, rest, out=small.imag)
    small *= table
    return small.astype(np.complex64)


@cache
def _directions() -> Any:
    """Sine and cosine of the angles of the table."""
    angles = np.arange(_DIRECTIONS) * (2 * math.pi / _DIRECTIONS)
    return np.sin(angles) + 1j * np.cos(angles)
