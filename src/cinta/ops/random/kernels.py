"""Random numbers from random bits: the kernels of the random ops.

Each takes a state - the two halves of a 128-bit counter, and a key - and is a pure function of it.
Blocks of 128 bits are turned into numbers one after the other: four numbers of up to 32 bits, or
two of 64. Where a number takes an unknown count of bits (rejection), each one, or each group, has
256 words of its own, so that all are drawn at once and yet none depends on the others.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np

from ...op import op
from ...parallel import spread
from . import philox
from .box_muller import narrow_pairs, wide_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...shapes import Shape
    from ...tensor import Array

    Transform = Callable[[Any, Any], Any]

CHUNK = 32768  # blocks to work on at a time, so that they stay in the processor's cache
RESERVED = 256  # words that one number may use up
_BLOCK = 4  # words in a block
_FLOAT64 = np.dtype(np.float64)
_MANTISSA_BITS = {np.float16: 10, ml_dtypes.bfloat16: 7, np.float32: 23, np.float64: 52}


def key_and_counter(state: Array) -> tuple[int, int]:
    """The parts of a state as Python ints."""
    low, high, key = (int(part) for part in state)
    return key, low | high << 64


def fill(state: Array, shape: Shape, dtype: Any, transform: Transform) -> Array:
    """An array filled with what becomes of consecutive blocks.

    ``transform`` takes the even and the odd words of some blocks and returns an array of shape
    (numbers per block, blocks).
    """
    key, counter = key_and_counter(state)
    per_block = 2 if dtype.itemsize == 8 else _BLOCK
    size = math.prod(shape)
    out = np.empty((-(-size // per_block), per_block), dtype)

    def work(start: int, stop: int) -> None:
        for first in range(start // per_block, stop // per_block, CHUNK):
            part = out[first : min(first + CHUNK, stop // per_block)]
            offsets = np.arange(first, first + len(part), dtype=np.uint64)
            part.T[:] = transform(*philox.words(key, counter, offsets))

    spread(work, out.size, CHUNK * per_block)
    return out.reshape(-1)[:size].reshape(shape)


def interleave(even: Any, odd: Any) -> Any:
    """The four numbers of each block, of those from its even and those from its odd words."""
    return np.stack([even[0], odd[0], even[1], odd[1]])


# -- uniform -----------------------------------------------------------------------------------


def unit(words: Any, dtype: Any) -> Any:
    """Words as floats in [0, 1), evenly spaced: their low bits become the mantissa."""
    bits = _MANTISSA_BITS[dtype.type]
    mantissa = (words & np.uint64((1 << bits) - 1)).view(np.int64)
    return mantissa.astype(dtype) * dtype.type(2.0**-bits)


def long_words(even: Any, odd: Any, *, high_first: bool = False) -> Any:
    """Pairs of words as words of 64 bits."""
    if high_first:
        even, odd = odd, even
    return even | odd << np.uint64(32)


@op("StatelessRandomUniformV2")
def StatelessRandomUniformV2(xp: Any, state: Array, *, shape: Shape, dtype: Any) -> Array:
    """Floats in [0, 1)."""
    if dtype.itemsize == 8:
        return fill(
            state,
            shape,
            dtype,
            lambda even, odd: unit(long_words(even, odd, high_first=True), dtype),
        )
    return fill(
        state, shape, dtype, lambda even, odd: interleave(unit(even, dtype), unit(odd, dtype))
    )


@op("StatelessRandomUniformFullIntV2")
def StatelessRandomUniformFullIntV2(xp: Any, state: Array, *, shape: Shape, dtype: Any) -> Array:
    """Integers from the whole range of their dtype."""
    unsigned = np.dtype(f"u{dtype.itemsize}")
    bits = fill(state, shape, unsigned, long_words if dtype.itemsize == 8 else interleave)
    return bits.view(dtype)


@op("StatelessRandomUniformIntV2")
def StatelessRandomUniformIntV2(
    xp: Any, state: Array, minval: Array, maxval: Array, *, shape: Shape
) -> Array:
    """Integers in [minval, maxval), by the remainder: a little biased if the range is large."""
    dtype = minval.dtype
    unsigned = np.dtype(f"u{dtype.itemsize}")
    span = np.asarray(maxval).view(unsigned) - np.asarray(minval).view(unsigned)
    bits = StatelessRandomUniformFullIntV2.run(state, shape=shape, dtype=unsigned)
    return (bits % span + np.asarray(minval).view(unsigned)).view(dtype)


# -- normal ------------------------------------------------------------------------------------


def normals(even: Any, odd: Any, wide: bool) -> Any:
    """Normal numbers from blocks: two per block if wide, else four."""
    if wide:
        return np.stack(wide_pairs(*unit(long_words(even, odd, high_first=True), _FLOAT64)))
    return interleave(*narrow_pairs(even, odd))


@op("StatelessRandomNormalV2")
def StatelessRandomNormalV2(xp: Any, state: Array, *, shape: Shape, dtype: Any) -> Array:
    """Normal numbers of mean 0 and standard deviation 1."""
    wide = dtype.itemsize == 8
    return fill(state, shape, dtype, lambda even, odd: normals(even, odd, wide))
