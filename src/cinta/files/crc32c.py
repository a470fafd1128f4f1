"""CRC-32C, the checksum of TensorFlow's files, at the speed of NumPy.

A checksum is linear: that of data followed by others is the one moved on by their length, plus the
checksum of the others (plus is exclusive or). So the data are cut into lanes of equal length, the
lanes go on together, four bytes a step, and in the end neighbors are joined, pair by pair.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"

_POLYNOMIAL = 0x82F63B78
_LANE = 256  # bytes
_SHORT = 4096  # bytes
_BLOCK = 1 << 22  # bytes that are cut into lanes at a time
_MASK_DELTA = 0xA282EAD8


def crc32c(data: bytes | Array) -> int:
    """The checksum of bytes.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    view = np.frombuffer(data, np.uint8)
    state = 0xFFFFFFFF
    if view.size < _SHORT:
        return _stepped(state, view) ^ 0xFFFFFFFF
    for begin in range(0, view.size, _BLOCK):
        block = view[begin : begin + _BLOCK]
        state = _moved(state, block.size) ^ _of_block(block)
    return state ^ 0xFFFFFFFF


def masked(checksum: int) -> int:
    """The checksum as TensorFlow stores it: rotated, and shifted by a constant."""
    return ((checksum >> 15 | checksum << 17) + _MASK_DELTA) % 2**32


def unmasked(stored: int) -> int:
    """The checksum that is stored so."""
    rotated = (stored - _MASK_DELTA) % 2**32
    return (rotated >> 17 | rotated << 15) % 2**32


def _stepped(state: int, view: Array) -> int:
    """The state after some bytes, two of them a step; the fastest way where there are few."""
    table = _pairs()
    even = view.size & ~1
    for pair in view[:even].view("<u2").tolist():
        state = table[(state ^ pair) & 0xFFFF] ^ state >> 16
    if view.size > even:
        low = (state ^ int(view[-1])) & 0xFF
        state = int(_shift(1)[0][low]) ^ state >> 8
    return state


@cache
def _pairs() -> list[int]:
    """The effect of two zero bytes on the lower half of a state."""
    low: list[int] = _shift(2)[0].tolist()
    return low


def _of_block(block: Array) -> int:
    """The checksum of some bytes, of state 0 before them and with nothing behind."""
    count = 1 << max(0, (block.size // _LANE)).bit_length()
    padded = np.zeros(count * _LANE, np.uint8)
    padded[padded.size - block.size :] = block  # zeros in front do not change a state of 0
    words = np.ascontiguousarray(padded.view("<u4").reshape(count, -1).T).astype(np.uint32)
    states = np.zeros(count, np.uint32)
    for word in words:
        states = _applied(_shift(4), states ^ word)
    length = _LANE
    while states.size > 1:
        states = _applied(_shift(length), states[::2]) ^ states[1::2]
        length *= 2
    return int(states[0])


def _moved(state: int, length: int) -> int:
    """The state after so many zero bytes."""
    for bit in range(length.bit_length()):
        if length >> bit & 1:
            state = int(_applied(_shift(1 << bit), np.uint32(state)))
    return state


@cache
def _shift(length: int) -> Array:
    """The effect of a power of two zero bytes on a state: a table for each half of it."""
    if length == 1:
        states = np.arange(256, dtype=np.uint32)
        for _ in range(8):
            states = states >> np.uint32(1) ^ (states & np.uint32(1)) * np.uint32(_POLYNOMIAL)
        half = np.arange(65536, dtype=np.uint32)
        low = half >> np.uint32(8) ^ states[half & np.uint32(255)]
        return np.stack([low, half << np.uint32(8)])
    previous = _shift(length // 2)
    return np.stack([_applied(previous, table) for table in previous])


def _applied(tables: Array, states: Any) -> Any:
    low, high = tables
    return low[states & np.uint32(0xFFFF)] ^ high[states >> np.uint32(16)]
