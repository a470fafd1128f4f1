"""Strings made of the numbers of characters, and strings in other encodings."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import numpy as np

from ...engine.op import op
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, tensor_of
from .string_arrays import elementwise, strings_of
from .unicode import ENCODINGS, LARGEST, characters, checked, decoding, is_encoding

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, IntLike, NumericLike, TensorLike
    from ...engine.tensor import Array, Tensor

_SURROGATES = range(0xD800, 0xE000)


@public("strings.unicode_encode")
def unicode_encode(
    input: NumericLike,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: IntLike = 0xFFFD,
    name: str | None = None,
) -> Tensor:
    """A string for each row of code points.

    >>> import cinta as tf
    >>> tf.strings.unicode_encode([[104, 233], [104, 97]], "UTF-8").numpy()
    array([b'h\\xc3\\xa9', b'ha'], dtype=object)

    Args:
        input: Integers; the last axis holds the characters of a string.
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" numbers that are not characters, "ignore" them, or be "strict".
        replacement_char: The number of the character in their place.

    Raises:
        InvalidArgumentError: If there is no such encoding, or ``errors`` is "strict" and a number
            is not a character.
    """
    how = checked("UnicodeEncode", output_encoding, errors, replacement_char, "output_encoding")
    numbers = tensor_of("UnicodeEncode", input, "i")
    if not numbers.shape.rank:
        raise ValueError("input_tensor's rank must be at least 1.")
    return UnicodeEncode(numbers, how=how)


@op("UnicodeEncode")
def UnicodeEncode(
    xp: ArrayModule, input: Array, *, how: tuple[Annotated[str, ENCODINGS.__contains__], str, str]
) -> Array:
    """A string for each row of code points."""
    found = np.empty(input.shape[:-1], object)
    rows = input.reshape(found.size, input.shape[-1])
    found.reshape(-1)[:] = [_encoded(row, how) for row in rows.tolist()]
    return found


UnicodeEncode.no_grad()


@op("UnicodeEncodeRows")
def UnicodeEncodeRows(
    xp: ArrayModule,
    input: Array,
    ends: Array,
    *,
    how: tuple[Annotated[str, ENCODINGS.__contains__], str, str],
) -> Array:
    """A string of the numbers of characters between each two ends."""
    numbers = input.tolist()
    found = np.empty(max(len(ends) - 1, 0), object)
    found[:] = [_encoded(numbers[start:end], how) for start, end in pairwise(ends.tolist())]
    return found


UnicodeEncodeRows.no_grad()


def _encoded(row: list[int], how: tuple[str, str, str]) -> bytes:
    encoding, errors, stand_in = how
    return "".join([_valid(each, errors, stand_in) for each in row]).encode(encoding)


def _valid(number: int, errors: str, stand_in: str) -> str:
    if 0 <= number <= LARGEST and number not in _SURROGATES:
        return chr(number)
    if errors == "strict":
        raise InvalidArgumentError(
            f"Code point {number} is out of range for Unicode, or is a surrogate [Op:UnicodeEncode]"
        )
    return stand_in if errors == "replace" else ""


@public("strings.unicode_transcode")
def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: IntLike = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Each string in another encoding; ``input_encoding`` may be any that Python knows.

    >>> import cinta as tf
    >>> tf.strings.unicode_transcode("hé", "UTF-8", "UTF-16-BE").numpy()
    b'\\x00h\\x00\\xe9'

    Args:
        input: A tensor of strings.
        input_encoding: The encoding of the strings.
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" invalid bytes, "ignore" them, or be "strict" and raise
            ``InvalidArgumentError``.
        replacement_char: The number of the character in place of invalid bytes.
        replace_control_characters: Whether to replace control characters as well.
    """
    op = "UnicodeTranscode"
    encoding, mode, stand_in = checked(
        op, output_encoding, errors, replacement_char, "output_encoding"
    )
    controls = flag(replace_control_characters, "replace_control_characters")
    how = (decoding(op, input_encoding), mode, stand_in, controls)
    return UnicodeTranscode(strings_of(input), how=how, encoding=encoding)


@op("UnicodeTranscode")
def UnicodeTranscode(
    xp: ArrayModule,
    input: Array,
    *,
    how: tuple[Annotated[str, is_encoding], str, str, bool],
    encoding: Annotated[str, ENCODINGS.__contains__],
) -> Array:
    """Each string in another encoding; ``how`` it is decoded are the arguments of `characters`."""
    source, errors, stand_in, controls = how

    def transcoded(value: bytes) -> bytes:
        found = characters(value, source, errors, stand_in, "UnicodeTranscode", controls)
        return "".join([each for each, _ in found]).encode(encoding)

    return elementwise(transcoded, input)


UnicodeTranscode.no_grad()
