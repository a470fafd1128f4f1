"""Strings as characters with numbers, in several encodings."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Annotated

import numpy as np

from ...engine.made_up import MadeUpLengths, filler
from ...engine.op import op
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, text, whole_number
from .string_arrays import array_of_strings, parts_in_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, IntLike, TensorLike
    from ...engine.tensor import Array

ENCODINGS = ("UTF-8", "UTF-16-BE", "UTF-32-BE")
_ERRORS = ("strict", "replace", "ignore")
LARGEST = 0x10FFFF
_MARKS = {
    "utf-16": (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
    "utf-32": (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
}


def checked(
    op: str, encoding: str, errors: str, replacement_char: IntLike, argument: str
) -> tuple[str, str, str]:
    """The encoding, the treatment of errors, and the character that replaces invalid bytes."""
    given = _allowed(op, argument, text(encoding, argument), ENCODINGS)
    return given, *handling(op, errors, replacement_char)


def handling(op: str, errors: str, replacement_char: IntLike) -> tuple[str, str]:
    """The treatment of errors, and the character that replaces invalid bytes."""
    mode = _allowed(op, "errors", text(errors, "errors"), _ERRORS)
    return mode, _character(op, replacement_char)


def _allowed(op: str, argument: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InvalidArgumentError(
            f"Value for attr '{argument}' of \"{value}\" is not in the list of allowed values: "
            f"{', '.join(allowed)} [Op:{op}]"
        )
    return value


def _character(op: str, replacement_char: IntLike) -> str:
    number = whole_number(replacement_char, "replacement_char")
    if not 0 <= number <= LARGEST:
        raise InvalidArgumentError(
            f"replacement_char out of unicode codepoint range: {number} [Op:{op}]"
        )
    return chr(number)


def decoding(op: str, encoding: str, argument: str = "input_encoding") -> str:
    """Python's name of an encoding; it may be any that Python knows."""
    try:
        name = codecs.lookup(text(encoding, argument)).name
        bytes(4).decode(name, "replace")  # an encoding that has a name may turn bytes into bytes
    except (LookupError, ValueError):
        raise InvalidArgumentError(
            f"Could not create converter for input encoding: {encoding} [Op:{op}]"
        ) from None
    return name


def is_encoding(name: str) -> bool:
    try:
        return decoding("UnicodeTranscode", name) == name
    except InvalidArgumentError:
        return False


def characters(
    value: bytes,
    encoding: str,
    errors: str,
    stand_in: str,
    op: str = "UnicodeDecode",
    without_controls: bool = False,
) -> list[tuple[str, int]]:
    """The characters of bytes and where each begins; ``stand_in`` stands for invalid bytes."""
    codec, at = _byte_order(value, encoding)
    found: list[tuple[str, int]] = []
    start = 0  # of the first character, which has the mark of the order of bytes
    while at < len(value):
        bad = b""
        try:
            good = value[at:].decode(codec)
        except UnicodeDecodeError as error:
            good = value[at : at + error.start].decode(codec)
            bad = value[at + error.start : at + error.end]
        parts = [(each, len(each.encode(codec))) for each in good]
        for each, length in [*parts, ("", len(bad))] if bad else parts:
            if each and not (without_controls and each < " "):
                found.append((each, start))
            elif errors == "strict":
                raise InvalidArgumentError(
                    f"Invalid formatting on input string, at byte {at}: {value!r} [Op:{op}]"
                )
            elif errors == "replace":
                found.append((stand_in, start))
            at = start = at + length
    return found


def _byte_order(value: bytes, encoding: str) -> tuple[str, int]:
    """The encoding with an order of bytes, big-endian unless a mark says so; the mark's length."""
    marks = _MARKS.get(encoding)
    if marks is None:
        return encoding, 0
    little, big = marks
    if value.startswith(little):
        return f"{encoding}-le", len(little)
    return f"{encoding}-be", len(big) if value.startswith(big) else 0


@public("strings.unicode_decode")
def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: IntLike = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """The code points of each string; those of several strings are rows.

    >>> import cinta as tf
    >>> tf.strings.unicode_decode("hé", "UTF-8").numpy()
    array([104, 233], dtype=int32)

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" invalid bytes, "ignore" them, or be "strict" and raise
            ``InvalidArgumentError``.
        replacement_char: The number of the character in place of invalid bytes.
        replace_control_characters: Whether to replace control characters as well.
    """
    return unicode_decode_with_offsets(
        input, input_encoding, errors, replacement_char, replace_control_characters
    )[0]


@public("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: IntLike = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The code points of each string, and the bytes at which they begin.

    >>> import cinta as tf
    >>> numbers, offsets = tf.strings.unicode_decode_with_offsets("éh", "UTF-8")
    >>> numbers.numpy(), offsets.numpy()
    (array([233, 104], dtype=int32), array([0, 2]))

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" invalid bytes, "ignore" them, or be "strict" and raise
            ``InvalidArgumentError``.
        replacement_char: The number of the character in place of invalid bytes.
        replace_control_characters: Whether to replace control characters as well.
    """
    name_of_op = "UnicodeDecodeWithOffsets"
    controls = flag(replace_control_characters, "replace_control_characters")
    encoding = decoding(name_of_op, input_encoding)
    how = (encoding, *handling(name_of_op, errors, replacement_char), controls)
    numbers, offsets = parts_in_rows(UnicodeDecodeWithOffsets, input, how=how)
    return numbers, offsets


@public("strings.unicode_split")
def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: IntLike = 0xFFFD,
    name: str | None = None,
) -> Tensor:
    """The characters of each string, each a string in the same encoding.

    The encoding is "UTF-8", "UTF-16-BE" or "UTF-32-BE". An invalid byte becomes the one
    with the number ``replacement_char``, or ignored with ``errors="ignore"``; "strict" raises.

    >>> import cinta as tf
    >>> tf.strings.unicode_split("hé", "UTF-8").numpy()
    array([b'h', b'\\xc3\\xa9'], dtype=object)

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" invalid bytes, "ignore" them, or be "strict" and raise
            ``InvalidArgumentError``.
        replacement_char: The number of the character in place of invalid bytes.
    """
    return unicode_split_with_offsets(input, input_encoding, errors, replacement_char)[0]


@public("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: IntLike = 0xFFFD,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The characters of each string, each a string, and the bytes at which they begin.

    >>> import cinta as tf
    >>> parts, offsets = tf.strings.unicode_split_with_offsets("éh", "UTF-8")
    >>> parts.numpy(), offsets.numpy()
    (array([b'\\xc3\\xa9', b'h'], dtype=object), array([0, 2]))

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: "replace" invalid bytes, "ignore" them, or be "strict" and raise
            ``InvalidArgumentError``.
        replacement_char: The number of the character in place of invalid bytes.
    """
    how = checked("UnicodeDecode", input_encoding, errors, replacement_char, "input_encoding")
    parts, offsets = parts_in_rows(UnicodeSplitWithOffsets, input, how=how)
    return parts, offsets


def _made_up_characters(
    lengths: MadeUpLengths, input: Array, **attrs: object
) -> tuple[Array, Array, Array]:
    ends = np.zeros(np.size(input) + 1, np.int64)
    return np.zeros(lengths(), np.int32), np.zeros(lengths.latest, np.int64), ends


def _made_up_strings(
    lengths: MadeUpLengths, input: Array, **attrs: object
) -> tuple[Array, Array, Array]:
    numbers, offsets, ends = _made_up_characters(lengths, input)
    return filler(numbers.shape, np.dtype(object)), offsets, ends


@op("UnicodeDecodeWithOffsets", sized_by_values=True, example=_made_up_characters)
def UnicodeDecodeWithOffsets(
    xp: ArrayModule, input: Array, *, how: tuple[Annotated[str, is_encoding], str, str, bool]
) -> tuple[Array, Array, Array]:
    """The numbers of characters, where they begin, and where those of each string end."""
    source, errors, stand_in, controls = how
    given = np.asarray(input, object).reshape(-1)
    rows = [
        characters(value, source, errors, stand_in, "UnicodeDecodeWithOffsets", controls)
        for value in given
    ]
    found, offsets, ends = _joined(rows)
    return np.array([ord(each) for each in found], np.int32), offsets, ends


@op("UnicodeSplitWithOffsets", sized_by_values=True, example=_made_up_strings)
def UnicodeSplitWithOffsets(
    xp: ArrayModule, input: Array, *, how: tuple[Annotated[str, ENCODINGS.__contains__], str, str]
) -> tuple[Array, Array, Array]:
    """The characters as strings, where they begin, and where those of each string end."""
    rows = [characters(value, *how) for value in np.asarray(input, object).reshape(-1)]
    found, offsets, ends = _joined(rows)
    return array_of_strings([each.encode(how[0]) for each in found]), offsets, ends


for each in (UnicodeDecodeWithOffsets, UnicodeSplitWithOffsets):
    each.no_grad()


def _joined(rows: Sequence[Sequence[tuple[str, int]]]) -> tuple[list[str], Array, Array]:
    """The characters of all strings, where they begin, and where those of each string end."""
    pairs = [pair for row in rows for pair in row]
    offsets = np.array([at for _, at in pairs], np.int64)
    return [each for each, _ in pairs], offsets, np.cumsum([0, *map(len, rows)])
