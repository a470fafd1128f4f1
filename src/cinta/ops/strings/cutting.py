"""Parts of strings, strings joined along axes, searched and replaced."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from ...engine.dtype_kinds import INTEGER
from ...engine.op import op
from ...engine.shapes import written as written_shape
from ...engine.tensor import Tensor, seen, wrap
from ...errors import InvalidArgumentError, OutOfRangeError
from ...public import public
from ..arguments import (
    axis_from_right,
    flag,
    integers,
    memory_for,
    not_negative,
    tensor_of,
    text,
    whole,
)
from .expressions import expression, replaced, rewriting
from .string_arrays import decoded, elementwise, encoded, strings_of, text_of

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, AxisLike, IntLike, NumericLike, TensorLike
    from ...engine.made_up import MadeUpLengths
    from ...engine.shapes import Count
    from ...engine.tensor import Array


@public("strings.reduce_join")
def reduce_join(
    inputs: TensorLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings along axes joined; of several axes, the first named is joined first.

    >>> import cinta as tf
    >>> tf.strings.reduce_join([["a", "b"], ["c", "d"]], -1, separator="-").numpy()
    array([b'a-b', b'c-d'], dtype=object)

    Args:
        inputs: A tensor of strings.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
        separator: The text between two.

    Raises:
        tf.errors.OutOfRangeError: If there is no such axis.
        InvalidArgumentError: If an axis is listed twice.
    """
    strings = strings_of(inputs)
    rank = strings._array.ndim
    axes = np.arange(rank)[::-1] if axis is None else integers(axis, "axis")
    order = [
        rank + axis_from_right("ReduceJoin", each, rank, error=OutOfRangeError)
        for each in map(int, axes)
    ]
    if len(set(order)) < len(order):
        raise InvalidArgumentError(f"Duplicate reduction dimension in axis {axis} [Op:ReduceJoin]")
    between = text(separator, "separator")
    keep = flag(keepdims, "keepdims")
    return ReduceJoin(strings, axes=tuple(order), keepdims=keep, separator=between)


@op("ReduceJoin")
def ReduceJoin(
    xp: ArrayModule, inputs: Array, *, axes: tuple[Count, ...], keepdims: bool, separator: str
) -> Array:
    """The strings along axes joined, of which the first one goes slowest."""
    array, order, between = np.asarray(inputs, object), [*axes], encoded(separator)
    kept = [each for each in range(array.ndim) if each not in order]
    shape = [array.shape[each] for each in kept]
    length = math.prod([array.shape[each] for each in order])
    rows = array.transpose([*kept, *order[::-1]]).reshape(*shape, length)
    joined = np.empty(shape, object)
    for place in np.ndindex(*shape):
        joined[place] = between.join(rows[place])
    return np.expand_dims(joined, order) if keepdims else joined


ReduceJoin.no_grad()


@public("strings.unsorted_segment_join")
def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: NumericLike,
    num_segments: IntLike,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings of each segment joined.

    >>> import cinta as tf
    >>> tf.strings.unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2).numpy()
    array([b'ac', b'b'], dtype=object)

    Args:
        inputs: A tensor of strings.
        segment_ids: The segment of each; its shape is how that of ``inputs`` begins.
        num_segments: How many segments there are.
        separator: The text between two.

    Raises:
        InvalidArgumentError: If a segment is out of range, or the shapes do not fit.
    """
    between = encoded(text(separator, "separator"))
    strings, segments = np.asarray(text_of(inputs)), seen(whole(segment_ids))
    if strings.shape[: segments.ndim] != segments.shape:
        raise InvalidArgumentError(
            f"Segment_ids shape must be a prefix of inputs shape, got {segments.shape} and "
            f"{strings.shape} [Op:UnsortedSegmentJoin]"
        )
    count = not_negative(num_segments, "num_segments", "UnsortedSegmentJoin")
    if segments.size and not 0 <= segments.min() <= segments.max() < count:
        raise InvalidArgumentError(
            "segment_ids are not allowed to exceed num_segments or to have negative values, but "
            f"go from {segments.min()} to {segments.max()} [Op:UnsortedSegmentJoin]"
        )
    rest = strings.shape[segments.ndim :]
    strings = strings.reshape(segments.size, *rest)
    with memory_for("UnsortedSegmentJoin", (count, *rest)):
        joined = np.empty((count, *rest), object)
    for place in np.ndindex(count, *rest):
        chosen = strings[(segments.reshape(-1) == place[0], *place[1:])]
        joined[place] = between.join(chosen)
    return wrap(joined)


@public("strings.substr")
def substr(
    input: TensorLike, pos: TensorLike, len: TensorLike, unit: str = "BYTE", name: str | None = None
) -> Tensor:
    """A part of each string, in bytes or, with ``unit="UTF8_CHAR"``, in characters.

    A negative place counts from the end; fewer come where the string ends.

    >>> import cinta as tf
    >>> tf.strings.substr(["hello", "abc"], pos=1, len=2).numpy()
    array([b'el', b'bc'], dtype=object)

    Args:
        input: A tensor of strings.
        pos: The place of the first one.
        len: How many.
        unit: "BYTE" or "UTF8_CHAR".

    Raises:
        InvalidArgumentError: If a place is outside of its string, or the unit is another.
    """
    if text(unit, "unit") not in ("BYTE", "UTF8_CHAR"):
        raise InvalidArgumentError(f"unit must be 'BYTE' or 'UTF8_CHAR', got {unit!r}.")

    starts, counts = (tensor_of("Substr", n, INTEGER) for n in (pos, len))
    if starts.shape != counts.shape:
        raise InvalidArgumentError(
            f"pos and len should have the same shape, got: {written_shape(starts.shape)} vs. "
            f"{written_shape(counts.shape)} [Op:Substr]"
        )
    return Substr(strings_of(input), starts, counts, unit=unit)


def _made_up_parts(
    lengths: MadeUpLengths, input: Array, pos: Array, count: Array, *, unit: str
) -> Array:
    return elementwise(lambda value, at, many: value, input, pos, count)


_CHARACTERS = re.compile(rb"[^\x80-\xbf][\x80-\xbf]*|[\x80-\xbf]+")
"""Each with all bytes that go on with a character, as TensorFlow counts them."""


@op("Substr", example=_made_up_parts)
def Substr(xp: ArrayModule, input: Array, pos: Array, count: Array, *, unit: str) -> Array:
    """So many bytes, or characters, of each string from a place on."""

    def cut(value: bytes, start: int, count: int) -> bytes:
        parts = None if unit == "BYTE" else _CHARACTERS.findall(value)
        size = len(value if parts is None else parts)
        if not -size <= start <= size or (parts is not None and start < 0 and count < 0):
            raise InvalidArgumentError(f"pos {start} out of range for string {value!r} [Op:Substr]")
        begin = start % size if start < 0 else start
        if parts is not None:
            return b"".join(parts[begin : begin + max(count, 0)])
        return value[begin:] if count < 0 else value[begin : begin + count]

    return elementwise(cut, input, pos, count)


Substr.no_grad()


@public("strings.regex_replace")
def regex_replace(
    input: TensorLike,
    pattern: str,
    rewrite: str,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""Each match of a regular expression, or the first, replaced; ``\1`` is what group 1 matched.

    Patterns are TensorFlow's, those of RE2, but for rare features. Those of Python's ``re`` that
    RE2 lacks, such as ``(?=...)``, are accepted.

    >>> import cinta as tf
    >>> tf.strings.regex_replace(["abc", "cab"], "a(.)", r"<\1>").numpy()
    array([b'<b>c', b'c<b>'], dtype=object)

    Args:
        input: A tensor of strings.
        pattern: The regular expression.
        rewrite: The text in place of a match.
        replace_global: Whether to replace every match, or the first alone.

    Raises:
        InvalidArgumentError: If ``pattern`` is not a regular expression, or ``rewrite`` names a
            group that it lacks.
    """
    return RegexReplace(
        strings_of(input),
        pattern=_plain(pattern, "pattern"),
        rewrite=_plain(rewrite, "rewrite"),
        all=flag(replace_global, "replace_global"),
    )


@op("RegexReplace")
def RegexReplace(xp: ArrayModule, input: Array, *, pattern: str, rewrite: str, all: bool) -> Array:
    """Each string with its matches of a regular expression, or the first of them, replaced."""
    found = _compiled(pattern, "RegexReplace")
    try:
        written = rewriting(rewrite, found.groups)
    except re.error as error:
        raise InvalidArgumentError(
            f"Invalid rewrite: {rewrite}, error: {error} [Op:RegexReplace]"
        ) from None
    change = lambda value: encoded(replaced(found, decoded(value), written, all))  # noqa: E731
    return elementwise(change, input)


@public("strings.regex_full_match")
def regex_full_match(input: TensorLike, pattern: str, name: str | None = None) -> Tensor:
    """Whether a regular expression matches the whole of each string.

    >>> import cinta as tf
    >>> tf.strings.regex_full_match(["abc", "xabc"], "a.*").numpy()
    array([ True, False])

    Args:
        input: A tensor of strings.
        pattern: The regular expression.

    Raises:
        InvalidArgumentError: If ``pattern`` is not one.
    """
    return RegexFullMatch(strings_of(input), pattern=_plain(pattern, "pattern"))


@op("RegexFullMatch")
def RegexFullMatch(xp: ArrayModule, input: Array, *, pattern: str) -> Array:
    """Whether a regular expression matches the whole of each string."""
    match = _compiled(pattern, "RegexFullMatch").fullmatch
    matches = lambda value: match(decoded(value)) is not None  # noqa: E731
    return elementwise(matches, input, dtype=np.dtype(bool))


RegexReplace.no_grad()
RegexFullMatch.no_grad()


def _plain(value: Tensor | str, argument: str) -> str:
    given = text_of(value)
    if np.ndim(given):
        raise InvalidArgumentError(f"`{argument}` must be one string, got {value!r}.")
    return decoded(bytes(given if isinstance(given, bytes) else given[()]))


def _compiled(pattern: str, op: str) -> re.Pattern[str]:
    try:
        return expression(pattern)
    except re.error as error:
        readable = pattern.encode(errors="replace").decode()
        raise InvalidArgumentError(
            f"Invalid pattern: {readable}, error: {error.msg} [Op:{op}]"
        ) from None
