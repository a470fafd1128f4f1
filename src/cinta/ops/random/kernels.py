"""Random numbers from random bits: the kernels of the random ops.

Each takes a state - the two halves of a 128-bit counter, and a key - and is a pure function of it.
Blocks of 128 bits are turned into numbers one after the other: four numbers of up to 32 bits, or
two of 64. Where a number takes an unknown count of bits (rejection), each one, or each group, has
256 words of its own, so that all are drawn at once and yet none depends on the others.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import finfo
from ...engine.op import op
from ...engine.parallel import spread
from . import philox
from .box_muller import narrow_points, wide_points

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule
    from ...engine.shapes import Shape
    from ...engine.tensor import Array

    Write = Callable[[Any, Any, Any], None]

CHUNK = 32768  # blocks to work on at a time, so that they stay in the processor's cache
RESERVED = 256  # words that one number may use up


def key_and_counter(state: Array) -> tuple[int, int]:
    """The parts of a state as Python ints."""
    low, high, key = (int(part) for part in state)
    return key, low | high << 64


def numbers_per_block(dtype: np.dtype[Any]) -> int:
    """Numbers of this dtype that a block gives."""
    return 2 if dtype.itemsize == 8 else 4


def fill(state: Array, shape: Shape, dtype: np.dtype[Any], write: Write) -> Array:
    """An array filled with what becomes of consecutive blocks.

    ``write`` takes the even and the odd words of some blocks, which it may change, and the array
    of shape (blocks, numbers per block) that it is to fill.
    """
    key, counter = key_and_counter(state)

    def work(first: int, out: Array) -> None:
        offsets = np.arange(first, first + len(out), dtype=np.uint64)
        write(*philox.random_words(key, counter, offsets), out)

    return in_chunks(work, shape, dtype, numbers_per_block(dtype))


def in_chunks(
    work: Callable[[int, Any], None], shape: Shape, dtype: np.dtype[Any], width: int
) -> Array:
    """An array that `work(first, rows)` fills, some rows of this width at a time, on threads."""
    size = math.prod(shape)
    out = np.empty((-(-size // width), width), dtype)

    def share(start: int, stop: int) -> None:
        for first in range(start // width, stop // width, CHUNK):
            work(first, out[first : min(first + CHUNK, stop // width)])

    spread(share, out.size, CHUNK * width)
    return out.reshape(-1)[:size].reshape(shape)


def pack(low: Array, high: Array, out: Array) -> None:
    """Write two arrays of 32-bit words, changing the second, as rows of 64-bit words."""
    np.left_shift(high, 32, out=high)
    np.bitwise_or(low, high, out=out.view(np.uint64).T)


# -- uniform -----------------------------------------------------------------------------------


@op("StatelessRandomUniformV2")
def StatelessRandomUniformV2(
    xp: ArrayModule, state: Array, *, shape: Shape, dtype: np.dtype[Any]
) -> Array:
    """Floats in [0, 1), evenly spaced: the low bits of the words become the mantissa."""
    write = {2: _write_short_units, 4: _write_units, 8: _write_long_units}[dtype.itemsize]
    return fill(state, shape, dtype, write)


def _write_units(even: Array, odd: Array, out: Array) -> None:
    pack(even, odd, out)
    _bits_to_units(out)


def _write_long_units(even: Array, odd: Array, out: Array) -> None:
    pack(odd, even, out)
    _bits_to_units(out)


def long_units(even: Array, odd: Array) -> Array:
    """The two float64 numbers in [0, 1) of each block."""
    out = np.empty((even.shape[1], 2))
    _write_long_units(even, odd, out)
    return out.T


def _bits_to_units(numbers: Array) -> None:
    """Make random bits, in place, floats in [1, 2), and subtract 1."""
    dtype = numbers.dtype
    bits = numbers.view(f"u{dtype.itemsize}")
    bits &= (1 << finfo(dtype).nmant) - 1
    bits |= int(dtype.type(1).view(bits.dtype))
    numbers -= dtype.type(1)


def _write_short_units(even: Array, odd: Array, out: Array) -> None:
    units = _short_units(out.dtype)
    for start, words in enumerate((even, odd)):
        out.T[start::2] = units.take((words & (len(units) - 1)).view(np.int64))


@cache
def _short_units(dtype: np.dtype[Any]) -> Array:
    """All numbers in [0, 1) that a mantissa of few bits gives."""
    count: int = 1 << finfo(dtype).nmant
    return (np.arange(count) / count).astype(dtype)


@op("StatelessRandomUniformFullIntV2")
def StatelessRandomUniformFullIntV2(
    xp: ArrayModule, state: Array, *, shape: Shape, dtype: np.dtype[Any]
) -> Array:
    """Integers from the whole range of their dtype."""
    return fill(state, shape, dtype, pack)


@op("StatelessRandomUniformIntV2")
def StatelessRandomUniformIntV2(
    xp: ArrayModule, state: Array, minval: Array, maxval: Array, *, shape: Shape
) -> Array:
    """Integers in [minval, maxval), by the remainder: a little biased if the range is large."""
    dtype = minval.dtype
    unsigned = np.dtype(f"u{dtype.itemsize}")
    low = np.asarray(minval).view(unsigned)[()]
    span = (np.asarray(maxval).view(unsigned) - low)[()]

    def write(even: Array, odd: Array, out: Array) -> None:
        pack(even, odd, out)
        quotient = out // span  # NumPy divides by a scalar faster than it takes the remainder
        quotient *= span
        out -= quotient
        out += low

    return fill(state, shape, unsigned, write).view(dtype)


# -- normal ------------------------------------------------------------------------------------


def normals(even: Array, odd: Array, out: Array) -> None:
    """Write the normal numbers of blocks: two of float64, or four of float32."""
    if out.dtype.itemsize == 8:
        out.T[:] = wide_points(*long_units(even, odd))
    else:
        narrow_points(even, odd, out.view(np.complex64).T)


@op("StatelessRandomNormalV2")
def StatelessRandomNormalV2(
    xp: ArrayModule, state: Array, *, shape: Shape, dtype: np.dtype[Any]
) -> Array:
    """Normal numbers of mean 0 and standard deviation 1."""
    return fill(state, shape, dtype, rounded(normals))


def rounded(write: Callable[..., None]) -> Callable[..., None]:
    """A function that writes to its last argument, for 16 bits too, which are drawn as float32."""

    def write_rounded(*where: Array) -> None:
        *given, out = where
        if out.dtype.itemsize > 2:
            write(*given, out)
        else:
            exact = np.empty(out.shape, np.float32)
            write(*given, exact)
            out[:] = exact

    return write_rounded
