"""GIF files: their blocks are taken apart here, and Pillow decompresses each picture by itself.

Pillow would put the pictures together as a player does. TensorFlow does it by simpler rules: the
result is as large as the largest picture, a picture covers what came before it, and where it is
transparent or absent, what came before shows, or black. How to dispose of a picture plays no part.
"""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from ..engine.tensor import Array

_HEADER = 13
_EXTENSION, _PICTURE, _END = 0x21, 0x2C, 0x3B
_CONTROL = 0xF9
_HAS_TABLE, _INTERLACED = 0x80, 0x40
_PIXEL = np.dtype((np.void, 3))


class Picture(NamedTuple):
    """A picture of a file, not decompressed yet."""

    left: int
    top: int
    width: int
    height: int
    interlaced: int
    colors: bytes
    transparent: int | None
    data: bytes


@dataclass
class _Reader:
    """Takes parts of bytes, one after the other; an error if there are no more."""

    held: bytes
    at: int = 0

    def take(self, count: int) -> bytes:
        found = self.held[self.at : self.at + count]
        if len(found) < count:
            raise ValueError("a GIF file ends too early")
        self.at += count
        return found

    def at_end(self) -> bool:
        return self.at == len(self.held)

    def table(self, flags: int) -> bytes:
        """The colors that the flags announce, three bytes for each."""
        return self.take(3 << (flags & 7) + 1) if flags & _HAS_TABLE else b""

    def blocks(self) -> bytes:
        """Blocks up to an empty one, as they are."""
        begin = self.at
        while size := self.take(1)[0]:
            self.take(size)
        return self.held[begin : self.at]


def pictures(held: bytes) -> Iterator[Picture]:
    """The pictures of a file, in order."""
    reader = _Reader(held)
    flags = reader.take(_HEADER)[10]
    common = reader.table(flags)
    transparent: int | None = None
    while not reader.at_end() and (kind := reader.take(1)[0]) != _END:
        if kind == _EXTENSION:
            label = reader.take(1)[0]
            content = reader.blocks()
            if label == _CONTROL and content[0] == 4:
                transparent = content[4] if content[1] & 1 else None
        elif kind == _PICTURE:
            left, top, width, height, flags = struct.unpack("<4HB", reader.take(9))
            colors = reader.table(flags) or common
            data = reader.take(1) + reader.blocks()
            interlaced = flags & _INTERLACED
            yield Picture(left, top, width, height, interlaced, colors, transparent, data)
            transparent = None
        else:
            raise ValueError(f"a block of a GIF file begins with {kind:#x}")


def _numbers(picture: Picture, module: ModuleType) -> Array:
    """The numbers of the colors of all pixels."""
    size = struct.pack("<2H", picture.width, picture.height)
    # The table has 256 colors whose parts differ, so Pillow keeps the numbers of the colors.
    alone = b"".join(
        (
            b"GIF89a" + size + bytes((0x87, 0, 0)),
            bytes(range(256)) * 3,
            b"\x2c\0\0\0\0" + size + bytes((picture.interlaced,)),
            picture.data + b"\x3b",
        )
    )
    with module.open(io.BytesIO(alone), formats=("GIF",)) as image:
        return np.array(image)


def frame_shape(found: list[Picture]) -> tuple[int, int]:
    """The height and width of all frames."""
    if not found:
        raise ValueError("a GIF file has no picture")
    return max(each.height for each in found), max(each.width for each in found)


def laid_over(found: list[Picture], count: int, module: ModuleType) -> Array:
    """The pixels after each of the first pictures: frames by height by width by 3."""
    frames = np.zeros((count, *frame_shape(found), 3), np.uint8)
    pixels = frames.view(_PIXEL)[..., 0]
    for i, picture in enumerate(found[:count]):
        if i:
            frames[i] = frames[i - 1]
        part = pixels[i, picture.top :, picture.left :][: picture.height, : picture.width]
        numbers = _numbers(picture, module)[: part.shape[0], : part.shape[1]]
        shown = ... if picture.transparent is None else numbers != picture.transparent
        chosen, colors = numbers[shown], np.frombuffer(picture.colors, _PIXEL)
        if chosen.max(initial=0) >= len(colors):
            raise ValueError("a picture of a GIF file has a color that is not in its table")
        part[shown] = colors.take(chosen)  # a third of the time of an index
    return frames
