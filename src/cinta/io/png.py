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

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 4: 2, 2: 3, 6: 4}
"""By the color types without palettes how many channels they have."""
_CHANGING = {b"tRNS", b"acTL"}
"""Parts that make something else of the pixels."""
_MOST_BYTES, _LAST_FILTER = 1 << 29, 4


class _Head(NamedTuple):
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
        return rest == (8, 0, 0, 0) and self.color in _CHANNELS and 0 < self.bytes < _MOST_BYTES

    @property
    def bytes(self) -> int:
        """The size of all rows, each with its filter in front."""
        return self.height * (1 + self.width * self.channels) if self.width else 0

    @property
    def channels(self) -> int:
        return _CHANNELS[self.color]


def plain_pixels(contents: bytes, channels: int) -> Array | None:
    """The pixels, height by width by channels; 0 channels are as many as there are.

    None where Pillow is to read them.
    """
    return None if _unfiltered is None else pixels_by(_unfiltered, contents, channels)


_unfiltered = compiled("unfiltered")


def pixels_by(unfiltered: ArrayFunction, contents: bytes, channels: int) -> Array | None:
    """The same with this compiled function."""
    parts = list(_parts(contents))
    head = _head(parts)
    if head is None or channels not in (0, head.channels):
        return None
    stored = _inflated(b"".join([data for kind, data in parts if kind == b"IDAT"]), head)
    if stored is None:
        return None
    rows = np.frombuffer(stored, np.uint8).reshape(head.height, -1)
    if rows[:, 0].max() > _LAST_FILTER:
        return None
    found: Array = unfiltered(rows[:, 0], rows[:, 1:], np.uint8(head.channels))
    return found.reshape(head.height, head.width, head.channels)


def _head(parts: list[tuple[bytes, bytes]]) -> _Head | None:
    """The facts of the first part, if they are plain and the parts stand in order."""
    kinds = [kind for kind, _ in parts]
    if not parts or kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or len(parts[0][1]) != 13:
        return None
    first, count = kinds.index(b"IDAT") if b"IDAT" in kinds else 0, kinds.count(b"IDAT")
    in_order = count > 0 and kinds[first : first + count] == [b"IDAT"] * count
    head = _Head(*struct.unpack(">IIBBBBB", parts[0][1]))
    plain = head.is_plain and _CHANGING.isdisjoint(kinds) and kinds.count(b"IHDR") == 1
    return head if plain and in_order else None


def _parts(contents: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The kind and the content of each part, to the last one or one that is damaged."""
    at, kind = len(_SIGNATURE), b""
    if not contents.startswith(_SIGNATURE):
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


def _inflated(stored: bytes, head: _Head) -> bytes | None:
    """The rows with their filters, if they are as many as the head says."""
    inflater = zlib.decompressobj()
    try:
        rows = inflater.decompress(stored, head.bytes)
        rest = inflater.decompress(inflater.unconsumed_tail, 1)
    except zlib.error:
        return None
    return rows if len(rows) == head.bytes and not rest and inflater.eof else None
