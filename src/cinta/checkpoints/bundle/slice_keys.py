"""The keys under which the slices of a tensor stand in the index.

They are made so that their bytes sort as what they say: a zero, the tensor's name, its rank, and
for each axis begin and length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checkpoint_messages import Slice


def slice_key(name: str, where: Slice) -> bytes:
    """The key of a slice of the tensor of this name."""
    extents = b"".join(_signed(begin) + _signed(length) for begin, length in where)
    return _whole(0) + _string(name.encode()) + _whole(len(where)) + extents


def _whole(number: int) -> bytes:
    """A number that is not negative: how many bytes it has, and the bytes."""
    digits = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return bytes([len(digits)]) + digits


def _string(data: bytes) -> bytes:
    """Bytes in which 0 and 255 are marked, with an end that is below all that may follow."""
    return data.replace(b"\xff", b"\xff\0").replace(b"\0", b"\0\xff") + b"\0\1"


def _signed(number: int) -> bytes:
    """A number in as few bytes as hold it, their count as ones in front, a zero for negatives."""
    size = 1
    while not -(1 << 7 * size - 1) <= number < 1 << 7 * size - 1:
        size += 1
    marks = ((1 << size) - 1) << 7 * size  # `size` ones, which the sign turns into zeros
    return ((number % (1 << 8 * size)) ^ marks).to_bytes(size, "big")
