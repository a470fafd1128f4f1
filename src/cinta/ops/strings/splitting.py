"""Strings split into rows of strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.made_up import MadeUpLengths, filler
from ...engine.op import op
from ...public import public
from ..arguments import text, whole_number
from .string_arrays import array_of_strings, encoded, parts_in_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ...engine.annotations import ArrayModule, TensorLike
    from ...engine.tensor import Array, Tensor


@public("strings.split")
def split(
    input: TensorLike, sep: str | None = None, maxsplit: int = -1, name: str | None = None
) -> Tensor:
    """The parts of each string between separators, or between white space without one.

    >>> import cinta as tf
    >>> tf.strings.split("a b  c").numpy()
    array([b'a', b'b', b'c'], dtype=object)
    >>> tf.strings.split(["a b", "c"])
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>

    Args:
        input: A tensor of strings.
        sep: The separator; None or "" for white space.
        maxsplit: How often to cut at most; -1 for everywhere.
    """
    separator = text(sep, "sep") if sep is not None else ""
    most = whole_number(maxsplit, "maxsplit")
    return parts_in_rows(StringSplit, input, separator=separator, most=most)[0]


@public("strings.bytes_split")
def bytes_split(input: TensorLike, name: str | None = None) -> Tensor:
    """The bytes of each string.

    >>> import cinta as tf
    >>> tf.strings.bytes_split("abc").numpy()
    array([b'a', b'b', b'c'], dtype=object)

    Args:
        input: A tensor of strings.
    """
    return parts_in_rows(StringBytesSplit, input)[0]


def _made_up_rows(lengths: MadeUpLengths, input: Array, **attrs: object) -> tuple[Array, Array]:
    parts = filler((lengths(),), np.dtype(object))
    return parts, np.zeros(np.size(input) + 1, np.int64)


@op("StringSplit", sized_by_values=True, example=_made_up_rows)
def StringSplit(xp: ArrayModule, input: Array, *, separator: str, most: int) -> tuple[Array, Array]:
    """The parts of each string between separators, and where those of each string end."""
    between = encoded(separator) or None
    return _parts(input, lambda value: value.split(between, most))


@op("StringBytesSplit", sized_by_values=True, example=_made_up_rows)
def StringBytesSplit(xp: ArrayModule, input: Array) -> tuple[Array, Array]:
    """The bytes of each string, and where those of each string end."""
    return _parts(input, lambda value: [bytes([byte]) for byte in value])


StringSplit.no_grad()
StringBytesSplit.no_grad()


def _parts(strings: Array, cut: Callable[[bytes], Iterable[bytes]]) -> tuple[Array, Array]:
    rows = [list(cut(value)) for value in np.asarray(strings, object).reshape(-1)]
    parts = array_of_strings([part for row in rows for part in row])
    return parts, np.cumsum([0, *map(len, rows)])
