"""Ops between strings in an encoding and the numbers of their characters."""

from __future__ import annotations

import codecs
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

import cinta as tf

from ..ops.strings.converting import elementwise, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor


def _codec(op: str, name: str) -> str:
    try:
        return codecs.lookup(name).name.replace("utf-16", "utf-16-be").replace("-be-be", "-be")
    except LookupError:
        raise tf.errors.InvalidArgumentError(
            f"Could not create converter for input encoding: {name} [Op:{op}]"
        ) from None


def _characters(
    op: str, value: bytes, codec: str, errors: str, replacement: int, without_controls: bool
) -> list[tuple[int, int]]:
    """The number of each character and the byte at which it starts."""
    found, start = [], 0
    while start < len(value):
        character, used = _first_character(value[start:], codec)
        is_right = character and not (without_controls and ord(character) < 0x20)
        if not is_right and errors == "strict":
            raise tf.errors.InvalidArgumentError(f"Invalid formatting on input string [Op:{op}]")
        if is_right or errors == "replace":
            found.append((ord(character) if is_right else replacement, start))
        start += used
    return found


def _first_character(value: bytes, codec: str) -> tuple[str, int]:
    """The first character and its bytes; if these are malformed, an empty one and how many."""
    try:
        head = value[:4].decode(codec)[:1]
    except UnicodeDecodeError as error:
        if error.start == 0:
            return "", max(error.end, 1)
        head = value[: error.start].decode(codec)[:1]
    return head, len(head.encode(codec))


def _decode_all(
    op: str, input: Tensor, encoding: str, errors: str, replacement: int, controls: bool
) -> list[list[tuple[int, int]]]:
    values = np.asarray(text_of(input), object).reshape(-1).tolist()
    codec = _codec(op, encoding)
    return [_characters(op, value, codec, errors, replacement, controls) for value in values]


def _decode_with_offsets(
    input: Tensor,
    encoding: str,
    errors: str,
    replacement: int,
    controls: bool,
    splits_dtype: tf.DType,
) -> list[Tensor]:
    op = "UnicodeDecodeWithOffsets"
    rows = _decode_all(op, input, encoding, errors, replacement, controls)
    splits = np.cumsum([0, *[len(row) for row in rows]])
    flat = np.array([pair for row in rows for pair in row], np.int64).reshape(-1, 2)
    return [
        tf.constant(splits, splits_dtype),
        tf.constant(flat[:, 0].astype(np.int32)),
        tf.constant(flat[:, 1]),
    ]


def _decode(input: Tensor, *how: *tuple[str, str, int, bool, tf.DType]) -> list[Tensor]:
    return _decode_with_offsets(input, *how)[:2]


def _encode(values: Tensor, splits: Tensor, encoding: str, errors: str, replacement: int) -> Tensor:
    ends, numbers = splits.numpy().tolist(), values.numpy().tolist()
    codec = _codec("UnicodeEncode", encoding)
    made = np.empty(len(ends) - 1, object)
    for i, (start, end) in enumerate(pairwise(ends)):
        made[i] = "".join(_known(numbers[start:end], errors, replacement)).encode(codec)
    return tf.constant(made, "string")


def _known(numbers: list[int], errors: str, replacement: int) -> list[str]:
    """The characters of numbers; those that are none are replaced, left out or refused."""
    found = []
    for number in numbers:
        if 0 <= number < 0x110000 and not 0xD800 <= number < 0xE000:
            found.append(chr(number))
        elif errors == "strict":
            raise tf.errors.InvalidArgumentError(
                f"Code point is out of range for Unicode, or a noncharacter: {number} "
                "[Op:UnicodeEncode]"
            )
        elif errors == "replace":
            found.append(chr(replacement))
    return found


def _transcode(
    input: Tensor, source: str, target: str, errors: str, replacement: int, controls: bool
) -> Tensor:
    codec = _codec("UnicodeTranscode", source)
    made = _codec("UnicodeTranscode", target)

    def changed(value: bytes) -> bytes:
        pairs = _characters("UnicodeTranscode", value, codec, errors, replacement, controls)
        return "".join([chr(number) for number, _ in pairs]).encode(made)

    return elementwise(changed, text_of(input))


UNICODE: dict[str, Callable[..., Any]] = {
    "UnicodeDecode": _decode,
    "UnicodeDecodeWithOffsets": _decode_with_offsets,
    "UnicodeEncode": _encode,
    "UnicodeTranscode": _transcode,
}
