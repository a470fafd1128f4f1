"""Philox 4x32-10: random bits as a pure function of a key and a counter.

Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). The counter
numbers blocks of 128 bits; ten rounds of multiplication and exclusive-or turn a number into its
block. Any block can be had without those before it, so streams are split by skipping.

A block is four words of 32 bits, x0 to x3. Here they come as two arrays of shape (2, blocks): the
even words (x0, x2), which the rounds multiply, and the odd ones (x1, x3), which they mix in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from ...engine.tensor import Array


ROUNDS = 10
_FEW = 6  # blocks that Python's ints are faster for
_WORD = 0xFFFFFFFF
_LOW_64 = 2**64 - 1
_EVEN_MULTIPLIER, _ODD_MULTIPLIER = 0xD2511F53, 0xCD9E8D57
_EVEN_STEP, _ODD_STEP = 0x9E3779B9, 0xBB67AE85
_MULTIPLIERS = np.array([[_EVEN_MULTIPLIER], [_ODD_MULTIPLIER]], np.uint64)

Words: TypeAlias = tuple[Any, Any, Any, Any]


def random_words(key: int, counter: int, offsets: Array) -> tuple[Any, Any]:
    """The even and the odd words of the blocks at some uint64 offsets from a counter.

    Both are uint64 arrays of shape (2, blocks), which the caller may write to.
    """
    if offsets.size <= _FEW:
        blocks = [block(key, counter + offset) for offset in offsets.tolist()]
        columns = np.array(blocks, np.uint64).reshape(-1, 4).T
        return columns[0::2], columns[1::2]
    round_keys = _round_keys(key)
    words = _count(counter, offsets)
    # Most words of the counter are alike for all blocks: two rounds on them cost little.
    for round_key in round_keys[:2]:
        words = _round(*words, *round_key)
    even, odd, products = np.empty((3, 2, offsets.size), np.uint64)
    even[0], odd[0], even[1], odd[1] = words
    crossed = products[::-1]  # each half of the block is mixed with the other half's product
    for round_key in np.array(round_keys[2:], np.uint64)[:, :, None]:
        np.multiply(even, _MULTIPLIERS, out=products)
        np.bitwise_xor(odd, round_key, out=odd)
        np.right_shift(crossed, 32, out=even)
        np.bitwise_xor(even, odd, out=even)
        np.bitwise_and(crossed, _WORD, out=odd)
    return even, odd


def _round_keys(key: int) -> list[tuple[int, int]]:
    """The two words that each round mixes in."""
    low, high = key & _WORD, key >> 32
    return [((low + i * _EVEN_STEP) & _WORD, (high + i * _ODD_STEP) & _WORD) for i in range(ROUNDS)]


def _round(
    x0: Array | int, x1: int, x2: Array | int, x3: Array | int, even_key: int, odd_key: int
) -> Words:
    """One round, of ints or of uint64 arrays whose lengths may be 1 instead."""
    even, odd = x0 * _EVEN_MULTIPLIER, x2 * _ODD_MULTIPLIER
    return (odd >> 32) ^ x1 ^ even_key, odd & _WORD, (even >> 32) ^ x3 ^ odd_key, even & _WORD


def _count(counter: int, offsets: Array) -> Words:
    """The 128-bit numbers ``counter + offsets`` as words: ints where all blocks have the same."""
    start, high = counter & _LOW_64, counter >> 64
    last = start + int(offsets.max(initial=0))
    if last >> 32 == start >> 32:
        return offsets + (start & _WORD), start >> 32, high & _WORD, high >> 32
    low = offsets + start
    highs = low * 0 + high
    if last > _LOW_64:
        highs += low < offsets
    return low & _WORD, low >> 32, highs & _WORD, highs >> 32


def block(key: int, counter: int) -> Words:
    """The four words of one block, as ints."""
    x0, x1, x2, x3 = (counter >> shift & _WORD for shift in (0, 32, 64, 96))
    for round_key in _round_keys(key):
        x0, x1, x2, x3 = _round(x0, x1, x2, x3, *round_key)
    return x0, x1, x2, x3


def mixed(seed: int, seed2: int) -> tuple[int, int]:
    """A key and a counter in which every bit depends on every bit of two 64-bit seeds."""
    x0, x1, x2, x3 = block(0x02461E293EC8F720, (seed & _LOW_64) | (seed2 & _LOW_64) << 64)
    return x0 | x1 << 32, (x2 | x3 << 32) << 64
