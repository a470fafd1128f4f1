"""Snappy's compression, backwards."""

from __future__ import annotations

from ...protobuf.wire import varint

_MOST_PER_BYTE = 64
"""How many bytes one byte of compressed data can stand for, at most."""


def decompressed(data: bytes) -> bytes:
    """The uncompressed bytes; ``ValueError`` if the format is not Snappy's."""
    length, at = varint(data, 0)
    if length > _MOST_PER_BYTE * len(data):
        raise ValueError(f"{len(data)} compressed bytes cannot stand for {length}")
    out = bytearray()
    while at < len(data):
        at = (_copy if data[at] & 3 else _literal)(data, at, out)
        if len(out) > length:
            break
    if len(out) != length:
        raise ValueError(f"compressed data give {len(out)} bytes, not {length}")
    return bytes(out)


def _literal(data: bytes, at: int, out: bytearray) -> int:
    """Bytes that stand there as they are."""
    length = (data[at] >> 2) + 1
    at += 1
    if length > 60:
        digits = length - 60
        length = int.from_bytes(data[at : at + digits], "little") + 1
        at += digits
    if at + length > len(data):
        raise ValueError("compressed data are cut off")
    out += data[at : at + length]
    return at + length


def _copy(data: bytes, at: int, out: bytearray) -> int:
    """Bytes that have come before; they may overlap with what they become."""
    tag, digits = data[at], {1: 1, 2: 2, 3: 4}[data[at] & 3]
    offset = int.from_bytes(data[at + 1 : at + 1 + digits], "little")
    if digits == 1:
        length, offset = (tag >> 2 & 7) + 4, tag >> 5 << 8 | offset
    else:
        length = (tag >> 2) + 1
    if at + 1 + digits > len(data) or not 0 < offset <= len(out):
        raise ValueError("compressed data refer to bytes that are not there")
    pattern = out[-offset:]
    out += (pattern * (-(-length // offset)))[:length]
    return at + 1 + digits
