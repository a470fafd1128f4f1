"""The wire format of protocol buffers: a message is a row of numbered fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Value: TypeAlias = int | bytes

VARINT, EIGHT_BYTES, COUNTED, FOUR_BYTES = 0, 1, 2, 5
"""The ways in which a message writes the value of a field."""

_LONGEST_VARINT = 10
_SIZES = {EIGHT_BYTES: 8, FOUR_BYTES: 4}

# -- reading -------------------------------------------------------------------------------------


def varint(data: bytes, begin: int) -> tuple[int, int]:
    """The number whose digits in base 128 begin here, and where it ends."""
    if begin < len(data) and data[begin] < 0x80:  # most are of one digit
        return data[begin], begin + 1
    value = 0
    for i, byte in enumerate(data[begin : begin + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value % 2**64, begin + i + 1
    raise ValueError(f"there is no number at byte {begin}")


def varints(data: bytes) -> list[int]:
    """Numbers that follow one another."""
    if data.isascii():  # no number is longer than a byte
        return list(data)
    found, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def tagged_fields(message: bytes) -> Iterator[tuple[int, int, Value]]:
    """The fields of a message: the number, the way it is written, and the value of each."""
    at, end = 0, len(message)
    while at < end:
        tag, at = varint(message, at)
        number, way = tag >> 3, tag & 7
        if not number:
            raise ValueError("a field of a message has the number 0")
        if way == VARINT:
            value, at = varint(message, at)
            yield number, way, value
            continue
        if way == COUNTED:
            length, at = varint(message, at)
        elif way in _SIZES:
            length = _SIZES[way]
        else:
            raise ValueError(f"field {number} of a message is of a kind that does not exist")
        content = message[at : at + length]
        if len(content) < length:
            raise ValueError(f"field {number} of a message is cut off")
        at += length
        yield number, way, content if way == COUNTED else int.from_bytes(content, "little")


def fields(message: bytes) -> Iterator[tuple[int, Value]]:
    """The fields of a message with their numbers, in the order in which they stand there."""
    for number, _, value in tagged_fields(message):
        yield number, value


def signed(value: Value) -> int:
    """A number that may be negative."""
    number = whole(value)
    return number - 2**64 if number >= 2**63 else number


def whole(value: Value) -> int:
    """A number, where one must stand."""
    if not isinstance(value, int):
        raise ValueError("a message has bytes where a number must be")
    return value


def message(value: Value) -> bytes:
    """A message or a string of bytes, where one must stand."""
    if not isinstance(value, bytes):
        raise ValueError("a message has a number where bytes must be")
    return value


def text(value: Value) -> str:
    """A string, where one must stand."""
    return message(value).decode("utf-8")


# -- writing -------------------------------------------------------------------------------------


def written_varint(value: int) -> bytes:
    """A number in base 128, the lowest digit first; a negative one is that of 64 bits."""
    value %= 2**64
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(number: int, way: int) -> bytes:
    """The bytes in front of the value of a field."""
    return written_varint(number << 3 | way)


def written_number(number: int, value: int) -> bytes:
    """A field that holds a number."""
    return tag(number, VARINT) + written_varint(value)


def written_bytes(number: int, value: bytes) -> bytes:
    """A field that holds bytes, a text or a message."""
    return tag(number, COUNTED) + written_varint(len(value)) + value
