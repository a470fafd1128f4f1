"""Ops between strings in an encoding and the numbers of their characters."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

import cinta as tf

from ..engine.tensor import wrap
from ..ops.strings.string_arrays import elementwise, text_of
from ..ops.strings.unicode import characters, decoding

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor


def _decode_all(
    op: str, input: Tensor, encoding: str, errors: str, replacement: int, controls: bool
) -> list[list[tuple[int, int]]]:
    """The code points of each string, and the bytes at which they begin."""
    values = np.asarray(text_of(input), object).reshape(-1).tolist()
    how = decoding(op, encoding), errors, chr(replacement), op, controls
    return [[(ord(each), at) for each, at in characters(value, *how)] for value in values]


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
    made = np.empty(len(ends) - 1, object)
    for i, (start, end) in enumerate(pairwise(ends)):
        made[i] = "".join(_known(numbers[start:end], errors, replacement)).encode(encoding)
    return tf.constant(made, "string")


def _known(numbers: list[int], errors: str, replacement: int) -> list[str]:
    """The characters of numbers; numbers of no character are replaced, left out or refused."""
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
    op = "UnicodeTranscode"
    codec = decoding(op, source)

    def changed(value: bytes) -> bytes:
        pairs = characters(value, codec, errors, chr(replacement), op, controls)
        return "".join([each for each, _ in pairs]).encode(target)

    return wrap(elementwise(changed, text_of(input)))


UNICODE: dict[str, Callable[..., Any]] = {
    "UnicodeDecode": _decode,
    "UnicodeDecodeWithOffsets": _decode_with_offsets,
    "UnicodeEncode": _encode,
    "UnicodeScript": tf.strings.unicode_script,
    "UnicodeTranscode": _transcode,
}
