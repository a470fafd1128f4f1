"""PNG files with 16 bits a channel, read and written: of colors, Pillow keeps 8 of them."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

from .png import (
    CHANNELS,
    LAST_FILTER,
    MOST_BYTES,
    SIGNATURE,
    Head,
    head_of,
    inflated,
    parts_of,
    unfilter,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine.annotations import ArrayFunction
    from ..engine.tensor import Array

_WHOLE = 65535
_SHARES = (9797, 19234, 3737)
"""How many parts of 2**15 red, green and blue have in gray."""
_PASSES = ((0, 8, 0, 8), (0, 8, 4, 8), (4, 8, 0, 4), (0, 4, 2, 4), (2, 4, 0, 2), (0, 2, 1, 2))
_LAST_PASS = (1, 2, 0, 1)
"""The first row, the step to the next, the first column and the step of each part of a file."""


def is_wide(contents: bytes) -> bool:
    """Whether these bytes begin as a PNG file with 16 bits a channel does."""
    return contents.startswith(SIGNATURE) and contents[24:25] == b"\x10"


def wide_pixels(
    contents: bytes, channels: int, unfiltered: ArrayFunction | None = unfilter
) -> Array | None:
    """The pixels, height by width by channels, of uint16; 0 channels are as many as there are.

    None if the file is damaged.
    """
    parts = list(parts_of(contents))
    head = head_of(parts)
    if head is None or not _is_readable(head):
        return None
    image = _image(head, b"".join([data for kind, data in parts if kind == b"IDAT"]), unfiltered)
    if image is None:
        return None
    return _of_channels(image, channels or head.channels, dict(parts).get(b"tRNS", b""))


def _is_readable(head: Head) -> bool:
    plain = (head.depth, head.compression, head.filters) == (16, 0, 0) and head.interlaced in (0, 1)
    return plain and head.color in CHANNELS and 0 < _size(head) < MOST_BYTES


def _size(head: Head) -> int:
    """The bytes of all rows, each with its filter in front."""
    return sum(height * (1 + width * head.pixel) for _, height, width in _pieces(head))


def _pieces(head: Head) -> Iterator[tuple[tuple[slice, slice], int, int]]:
    """Where the pixels of each piece of the file belong, and how many rows and columns they are."""
    passes = (*_PASSES, _LAST_PASS) if head.interlaced else ((0, 1, 0, 1),)
    for row, down, column, right in passes:
        height = len(range(row, head.height, down))
        width = len(range(column, head.width, right))
        if height and width:
            yield (slice(row, None, down), slice(column, None, right)), height, width


def _image(head: Head, stored: bytes, unfiltered: ArrayFunction | None) -> Array | None:
    """All pixels in their places."""
    rows = inflated(stored, _size(head))
    if rows is None:
        return None
    image = np.empty((head.height, head.width, head.channels), np.uint16)
    undo, at = unfiltered or _unfiltered, 0
    for place, height, width in _pieces(head):
        size = height * (1 + width * head.pixel)
        piece = np.frombuffer(rows, np.uint8, size, at).reshape(height, -1)
        if piece[:, 0].max() > LAST_FILTER:
            return None
        found: Array = undo(piece[:, 0], piece[:, 1:], np.array(head.pixel, np.uint8))
        image[place] = found.view(">u2").reshape(height, width, head.channels)
        at += size
    return image


def _unfiltered(filters: Array, rows: Array, pixel: Array) -> Array:
    """The same as the compiled function, which is much faster, and which may not be there."""
    found = np.zeros_like(rows)
    above = np.zeros_like(rows[0])
    for filtered, kind, out in zip(rows, filters.tolist(), found, strict=True):
        if kind == 0:
            out[:] = filtered
        elif kind == 2:
            out[:] = filtered + above
        else:
            out[:] = np.frombuffer(_by_neighbors(kind, filtered, above, int(pixel)), np.uint8)
        above = out
    return found


def _by_neighbors(kind: int, filtered: Array, above: Array, pixel: int) -> bytes:
    """A row of bytes, each of which was predicted from those to the left and above."""
    row, upper = bytearray(pixel), bytes(pixel) + above.tobytes()
    for i, byte in enumerate(filtered.tolist()):
        left, up, between = row[i], upper[i + pixel], upper[i]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            slope = left + up - between
            guess = min((left, up, between), key=lambda each: abs(slope - each))
        row.append((byte + guess) & 255)
    return bytes(row[pixel:])


def _of_channels(image: Array, channels: int, transparent: bytes) -> Array:
    """The image with other channels: gray or colors, with opacity or without."""
    own = image.shape[-1]
    shown, colors = image[..., : own - (own % 2 == 0)], 1 if channels < 3 else 3
    made = [shown if shown.shape[-1] == colors else gray_of(shown) if colors == 1 else shown]
    if shown.shape[-1] < colors:
        made = [shown] * colors
    if channels % 2 == 0:
        made.append(image[..., -1:] if own % 2 == 0 else _opacity(shown, transparent))
    return np.concatenate(made, axis=-1)


def gray_of(image: Array) -> Array:
    """A colored image in gray, as libpng computes it, which rounds numbers of 16 bits alone."""
    half = 16384 if image.dtype == np.uint16 else 0
    gray: Array = ((image.astype(np.int64) @ np.array(_SHARES) + half) >> 15).astype(image.dtype)
    return gray[..., None]


def _opacity(image: Array, transparent: bytes) -> Array:
    """Whole, but for the pixels of the color that the file declares as transparent."""
    if len(transparent) != 2 * image.shape[-1]:
        return np.full((*image.shape[:-1], 1), _WHOLE, np.uint16)
    through = (image == np.frombuffer(transparent, ">u2")).all(axis=-1, keepdims=True)
    return np.where(through, 0, _WHOLE).astype(np.uint16)


def wide_file(pixels: Array, level: int) -> bytes:
    """The content of a PNG file of an image with 16 bits a channel."""
    height, width, channels = pixels.shape
    color = next(each for each, count in CHANNELS.items() if count == channels)
    head = struct.pack(">IIBBBBB", width, height, 16, color, 0, 0, 0)
    rows = np.zeros((height, 1 + 2 * width * channels), np.uint8)  # no filter in front
    rows[:, 1:] = pixels.astype(">u2").reshape(height, -1).view(np.uint8)
    parts = {b"IHDR": head, b"IDAT": zlib.compress(rows.tobytes(), level), b"IEND": b""}
    return SIGNATURE + b"".join([_part(kind, data) for kind, data in parts.items()])


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
