"""Plain PNG files decoded by zlib and a compiled function: eight bits a channel, rows in order.

Pillow reads all others, and damaged ones, and says what is wrong with those.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..engine.c_kernels import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine.annotations import ArrayFunction
    from ..engine.tensor import Array

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 4: 2, 2: 3, 6: 4}
"""By the color types without palettes how many channels they have."""
_CHANGING = {b"tRNS", b"acTL"}
"""Parts that make something else of the pixels."""
MOST_BYTES, LAST_FILTER = 1 << 29, 4


class Head(NamedTuple):
    """The facts of the first part."""

    width: int
    height: int
    depth: int
    color: int
    compression: int
    filters: int
    interlaced: int

    @property
    def is_plain(self) -> bool:
        rest = self.depth, self.compression, self.filters, self.interlaced
        return rest == (8, 0, 0, 0) and self.color in CHANNELS and 0 < self.bytes < MOST_BYTES

    @property
    def pixel(self) -> int:
        """The bytes of one pixel."""
        return self.channels * self.depth // 8

    @property
    def bytes(self) -> int:
        """The size of all rows, each with its filter in front."""
        return self.height * (1 + self.width * self.channels) if self.width else 0

    @property
    def channels(self) -> int:
        return CHANNELS[self.color]


def plain_pixels(contents: bytes, channels: int) -> Array | None:
    """The pixels, height by width by channels; 0 channels are as many as there are.

    None where Pillow is to read them.
    """
    return None if unfilter is None else pixels_by(unfilter, contents, channels)


unfilter = compiled("unfiltered")


def pixels_by(unfiltered: ArrayFunction, contents: bytes, channels: int) -> Array | None:
    """The same with this compiled function."""
    parts = list(parts_of(contents))
    head = head_of(parts)
    plain = head is not None and head.is_plain and _CHANGING.isdisjoint(dict(parts))
    if head is None or not plain or channels not in (0, head.channels):
        return None
    stored = inflated(b"".join([data for kind, data in parts if kind == b"IDAT"]), head.bytes)
    if stored is None:
        return None
    rows = np.frombuffer(stored, np.uint8).reshape(head.height, -1)
    if rows[:, 0].max() > LAST_FILTER:
        return None
    found: Array = unfiltered(rows[:, 0], rows[:, 1:], np.uint8(head.channels))
    return found.reshape(head.height, head.width, head.channels)


def head_of(parts: list[tuple[bytes, bytes]]) -> Head | None:
    """The facts of the first part, if the parts stand in order."""
    kinds = [kind for kind, _ in parts]
    if not parts or kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or len(parts[0][1]) != 13:
        return None
    first, count = kinds.index(b"IDAT") if b"IDAT" in kinds else 0, kinds.count(b"IDAT")
    in_order = count > 0 and kinds[first : first + count] == [b"IDAT"] * count
    once = kinds.count(b"IHDR") == 1
    return Head(*struct.unpack(">IIBBBBB", parts[0][1])) if once and in_order else None


def parts_of(contents: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The kind and the content of each part, to the last one or one that is damaged."""
    at, kind = len(SIGNATURE), b""
    if not contents.startswith(SIGNATURE):
        return
    while kind != b"IEND" and at + 12 <= len(contents):
        (size,) = struct.unpack_from(">I", contents, at)
        end = at + 8 + size
        if end + 4 > len(contents):
            return
        if zlib.crc32(contents[at + 4 : end]) != struct.unpack_from(">I", contents, end)[0]:
            return
        kind = contents[at + 4 : at + 8]
        yield kind, contents[at + 8 : end]
        at = end + 4


def inflated(stored: bytes, size: int) -> bytes | None:
    """The rows with their filters, if they are as many bytes as the head says."""
    inflater = zlib.decompressobj()
    try:
        rows = inflater.decompress(stored, size)
        rest = inflater.decompress(inflater.unconsumed_tail, 1)
    except zlib.error:
        return None
    return rows if len(rows) == size and not rest and inflater.eof else None
