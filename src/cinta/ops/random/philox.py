"""Philox 4x32-10: random bits as a pure function of a key and a counter.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). The counter
numbers blocks of 128 bits; ten rounds of multiplication and exclusive-or turn a number into its
block. Any block can be had without those before it, so streams are split by skipping.

A block is four words of 32 bits, x0 to x3. Here they come as two arrays of shape (2, blocks): the
even words (x0, x2), which the rounds multiply, and the odd ones (x1, x3), which they mix in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ROUNDS = 10
_WORD = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_MULTIPLIERS = np.array([[0xD2511F53], [0xCD9E8D57]], np.uint64)
_KEY_STEPS = np.arange(ROUNDS, dtype=np.uint64)[:, None, None] * np.array(
    [[0x9E3779B9], [0xBB67AE85]], np.uint64
)
_LOW_64 = 2**64 - 1


def words(key: int, counter: int, offsets: Any) -> tuple[Any, Any]:
    """The even and the odd words of the blocks at some uint64 offsets from a counter.

    Both are uint64 arrays of shape (2, blocks).
    """
    even, odd = _count(counter, offsets)
    products = np.empty_like(even)
    crossed = products[::-1]  # each half of the block is mixed with the other half's product
    for round_key in np.array([[key & 0xFFFFFFFF], [key >> 32]], np.uint64) + _KEY_STEPS & _WORD:
        np.multiply(even, _MULTIPLIERS, out=products)
        np.bitwise_xor(odd, round_key, out=odd)
        np.right_shift(crossed, _32, out=even)
        np.bitwise_xor(even, odd, out=even)
        np.bitwise_and(crossed, _WORD, out=odd)
    return even, odd


def _count(counter: int, offsets: Any) -> tuple[Any, Any]:
    """The 128-bit numbers ``counter + offsets`` as words."""
    even, odd = np.empty((2, 2, offsets.size), np.uint64)
    low, high = offsets + np.uint64(counter & _LOW_64), np.uint64(counter >> 64)
    if (counter & _LOW_64) + int(offsets.max(initial=0)) > _LOW_64:
        high = high + (low < offsets)
    np.bitwise_and(low, _WORD, out=even[0])
    np.right_shift(low, _32, out=odd[0])
    even[1], odd[1] = high & _WORD, high >> _32
    return even, odd


def mixed(seed: int, seed2: int) -> tuple[int, int]:
    """A key and a counter in which every bit depends on every bit of two 64-bit seeds."""
    even, odd = words(
        0x02461E293EC8F720, (seed & _LOW_64) | (seed2 & _LOW_64) << 64, np.zeros(1, np.uint64)
    )
    x0, x2 = even[:, 0].tolist()
    x1, x3 = odd[:, 0].tolist()
    return x0 | x1 << 32, (x2 | x3 << 32) << 64
