"""Strings: numbers as text, text as numbers, and a few ways to change text.

Strings are bytes, as in TensorFlow; they have no gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ... import dtypes
from ...engine.composites import Assembled
from ...engine.convert import as_tensor
from ...engine.op import op
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, listed, text, whole_number
from ..checks.printing import quoted, summary
from .string_arrays import elementwise, encoded, strings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule, DTypeLike, TensorLike
    from ...engine.made_up import MadeUpLengths
    from ...engine.tensor import Array


_MOST_DIGITS = 10_000


@public("as_string", "strings.as_string")
def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Each number as text, as C's printf writes it; a string is padded to the width.

    >>> import cinta as tf
    >>> tf.strings.as_string([1.5, 2.0], precision=2).numpy()
    array([b'1.50', b'2.00'], dtype=object)

    Args:
        input: Numbers, booleans or strings.
        precision: How many digits to write after the point; -1 for C's default, which is 6.
        scientific: Whether to write floats as 1.5e+00.
        shortest: Whether to leave out trailing zeros, and to choose between both ways to write
            floats.
        width: The least length of the text; -1 for as long as it is.
        fill: "" or " " fills up with spaces, "0" with zeros; "-" puts the spaces behind, and "+"
            writes the sign of every number.

    Raises:
        InvalidArgumentError: If ``fill`` is longer than one character or another one, if both
            notations are asked for, or if a precision or a notation is asked for and there are no
            floats.
    """
    tensor = as_tensor(input)
    scientific, shortest = flag(scientific, "scientific"), flag(shortest, "shortest")
    precision, width = whole_number(precision, "precision"), whole_number(width, "width")
    if max(precision, width) > _MOST_DIGITS:
        raise InvalidArgumentError(
            f"precision and width may be {_MOST_DIGITS} at most, got {precision} and {width} "
            "[Op:AsString]"
        )
    if scientific and shortest:
        raise InvalidArgumentError("Cannot select both scientific and shortest notation")
    if text(fill, "fill") not in ("", " ", "0", "+", "-"):
        raise InvalidArgumentError(f'Fill argument not supported: "{fill}"')
    if tensor.dtype == dtypes.string:
        return StringPad(tensor, width=max(width, 0), left=fill == "-")
    if tensor.dtype.is_bool or tensor.dtype.is_integer:
        if precision >= 0 or scientific or shortest:
            raise InvalidArgumentError(
                f"precision and notation are not supported for datatype {tensor.dtype.name}"
            )
        letter = "s" if tensor.dtype.is_bool else "d"
    else:
        letter = "e" if scientific else "g" if shortest else "f"
    return AsString(tensor, precision=precision, letter=letter, width=width, fill=fill)


def _is_size(number: int) -> bool:
    return -1 <= number <= _MOST_DIGITS


@op("StringPad")
def StringPad(
    xp: ArrayModule, input: Array, *, width: Annotated[int, _is_size], left: bool
) -> Array:
    """Each string with spaces in front of it, or behind it if it is to stand on the left."""
    padded = bytes.ljust if left else bytes.rjust
    return elementwise(lambda value: padded(value, width), input)


@op("AsString")
def AsString(
    xp: ArrayModule,
    input: Array,
    *,
    precision: Annotated[int, _is_size],
    letter: Annotated[str, "sdegf".__contains__],
    width: Annotated[int, _is_size],
    fill: Annotated[str, ("", " ", "0", "+", "-").__contains__],
) -> Array:
    """Each number as C's printf writes it; the letter is that of its conversion."""
    digits = "" if precision < 0 else f".{precision}"
    pattern = f"%{fill}{width if width >= 0 else ''}{digits}{letter}"
    return elementwise(lambda value: _printed(pattern, value).encode(), input)


def _printed(pattern: str, value: Array) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if np.iscomplexobj(value):
        return f"({_printed(pattern, value.real)},{_printed(pattern, value.imag)})"
    if "d" in pattern:
        return pattern % int(value)
    if not np.isfinite(value):  # C fills up with zeros before digits alone
        pattern = pattern.replace("%0", "%")
    return pattern % float(value)


@public("strings.format")
def format(
    template: str,
    inputs: TensorLike,
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """The template with its placeholders replaced by tensors, of which long ones are abridged.

    >>> import cinta as tf
    >>> tf.strings.format("x is {}", tf.range(10)).numpy()
    b'x is [0 1 2 ... 7 8 9]'

    Args:
        template: The text.
        inputs: A tensor, or a list of as many tensors as there are placeholders.
        placeholder: What stands for a tensor.
        summarize: How many elements to show at each end of an axis; -1 for all.

    Raises:
        ValueError: If there are not as many tensors as placeholders.
    """
    values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if not text(placeholder, "placeholder"):
        raise ValueError("`placeholder` must not be empty.")
    parts = text(template, "template").split(text(placeholder, "placeholder"))
    if len(parts) - 1 != len(values):
        raise ValueError(
            f"The template expects {len(parts) - 1} tensors, but the inputs only has "
            f"{len(values)}. Please ensure the number of placeholders in template matches inputs "
            "length."
        )
    most = whole_number(summarize, "summarize")
    shown = [
        x._shown(quoted, most) if isinstance(x, Assembled) else summary(as_tensor(x), most)
        for x in values
    ]
    result = parts[0] + "".join(s + part for s, part in zip(shown, parts[1:], strict=True))
    return as_tensor(result)


@public("strings.join")
def join(inputs: Sequence[TensorLike], separator: str = "", name: str | None = None) -> Tensor:
    """Strings joined element by element; scalars go with every element.

    >>> import cinta as tf
    >>> tf.strings.join([["a", "b"], "c"], separator="-").numpy()
    array([b'a-c', b'b-c'], dtype=object)

    Args:
        inputs: A list of tensors of strings.
        separator: The text between two.

    Raises:
        InvalidArgumentError: If the shapes differ.
    """
    between = text(separator, "separator")
    given = [strings_of(value) for value in listed(inputs, "inputs")]
    return StringJoin(*given, separator=between) if given else as_tensor("")


@op("StringJoin")
def StringJoin(xp: ArrayModule, *inputs: Array, separator: str) -> Array:
    """Strings joined element by element."""
    between = encoded(separator)
    shapes = list(dict.fromkeys(np.shape(array) for array in inputs if np.ndim(array)))
    if len(shapes) > 1:
        shown = " vs. ".join(str(list(shape)) for shape in shapes)
        raise InvalidArgumentError(f"Input shapes do not match: {shown} [Op:StringJoin]")
    return elementwise(lambda *values: between.join(values), *inputs)


@public("strings.length")
def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """How many bytes each string has, or characters with ``unit="UTF8_CHAR"``.

    >>> import cinta as tf
    >>> tf.strings.length(["ab", "c"]).numpy()
    array([2, 1], dtype=int32)

    Args:
        input: A tensor of strings.
        unit: "BYTE" or "UTF8_CHAR".

    Raises:
        InvalidArgumentError: If the unit is another.
    """
    if text(unit, "unit") not in ("BYTE", "UTF8_CHAR"):
        raise InvalidArgumentError(f"unit must be 'BYTE' or 'UTF8_CHAR', got {unit!r}.")
    return StringLength(strings_of(input), unit=unit)


_GOING_ON = bytes(range(0x80, 0xC0))
"""The bytes that do not begin a character."""


@op("StringLength")
def StringLength(xp: ArrayModule, input: Array, *, unit: str) -> Array:
    """How many bytes or characters each string has."""

    def count(value: bytes) -> int:
        return len(value if unit == "BYTE" else value.translate(None, _GOING_ON))

    return elementwise(count, input, dtype=np.dtype(np.int32))


@public("strings.lower")
def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Each string in lower case: ASCII letters, or all with ``encoding="utf-8"``.

    >>> import cinta as tf
    >>> tf.strings.lower(["Ab", "C"]).numpy()
    array([b'ab', b'c'], dtype=object)

    Args:
        input: A tensor of strings.
        encoding: "" or "utf-8".
    """
    return StringLower(strings_of(input), encoding=_checked_encoding(encoding))


@op("StringLower")
def StringLower(xp: ArrayModule, input: Array, *, encoding: str) -> Array:
    """Each string in lower case."""
    return _in_case(input, encoding, bytes.lower, str.lower)


@public("strings.upper")
def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Each string in upper case: ASCII letters, or all with ``encoding="utf-8"``.

    >>> import cinta as tf
    >>> tf.strings.upper("tape").numpy()
    b'TAPE'

    Args:
        input: A tensor of strings.
        encoding: "" or "utf-8".
    """
    return StringUpper(strings_of(input), encoding=_checked_encoding(encoding))


@op("StringUpper")
def StringUpper(xp: ArrayModule, input: Array, *, encoding: str) -> Array:
    """Each string in upper case."""
    return _in_case(input, encoding, bytes.upper, str.upper)


def _checked_encoding(encoding: str) -> str:
    if text(encoding, "encoding") not in ("", "utf-8"):
        raise InvalidArgumentError(f"encoding must be '' or 'utf-8', got {encoding!r}.")
    return encoding


def _in_case(
    strings: Array,
    encoding: str,
    of_bytes: Callable[[bytes], bytes],
    of_text: Callable[[str], str],
) -> Array:
    if not encoding:
        return elementwise(of_bytes, strings)
    return elementwise(lambda value: of_text(value.decode(errors="replace")).encode(), strings)


@public("strings.strip")
def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Each string without the white space at its ends.

    >>> import cinta as tf
    >>> tf.strings.strip(" ab ").numpy()
    b'ab'

    Args:
        input: A tensor of strings.
    """
    return StringStrip(strings_of(input))


@op("StringStrip")
def StringStrip(xp: ArrayModule, input: Array) -> Array:
    """Each string without the white space at its ends."""
    return elementwise(bytes.strip, input)


@public("strings.to_number")
def to_number(
    input: TensorLike, out_type: DTypeLike = dtypes.float32, name: str | None = None
) -> Tensor:
    """Each string as the number that it writes.

    >>> import cinta as tf
    >>> tf.strings.to_number(["1.5", "-2"]).numpy()
    array([ 1.5, -2. ], dtype=float32)

    Args:
        input: A tensor of strings.
        out_type: ``tf.float32``, ``tf.float64``, ``tf.int32`` or ``tf.int64``.

    Raises:
        InvalidArgumentError: If a string does not write such a number, or the dtype is another.
    """
    wanted = dtypes.as_dtype(out_type)
    if wanted not in _NUMBERS:
        allowed = ", ".join(each.kernel_name for each in _NUMBERS)
        raise InvalidArgumentError(
            f"Value for attr 'out_type' of {wanted.kernel_name} is not in the list of allowed "
            f"values: {allowed} [Op:StringToNumber]"
        )
    return StringToNumber(strings_of(input), dtype=wanted.dtype)


_NUMBERS = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)


def _is_number_type(dtype: np.dtype[Any]) -> bool:
    return dtypes.of(dtype) in _NUMBERS


def _made_up_numbers(lengths: MadeUpLengths, input: Array, *, dtype: np.dtype[Any]) -> Array:
    return np.ones(np.shape(input), dtype)[()]


@op("StringToNumber", example=_made_up_numbers)
def StringToNumber(
    xp: ArrayModule, input: Array, *, dtype: Annotated[np.dtype[Any], _is_number_type]
) -> Array:
    """The number that each string writes."""
    wanted = dtypes.of(dtype)
    read: type[int] | type[float] = int if wanted.is_integer else float

    def number(value: bytes) -> float:
        try:
            found = read(value)
            if b"_" in value or (wanted.is_integer and not wanted.min <= found <= wanted.max):
                raise ValueError  # 1_000 is a number to Python alone
        except ValueError:
            text = value.decode(errors="replace")
            raise InvalidArgumentError(
                f"StringToNumberOp could not correctly convert string: {text}"
            ) from None
        return found

    return elementwise(number, input, dtype=dtype)


for each in (
    *(AsString, StringPad, StringJoin, StringLength, StringLower, StringUpper, StringStrip),
    StringToNumber,
):
    each.no_grad()
