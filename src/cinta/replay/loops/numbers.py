"""Numbers in attributes that grow by the same step from turn to turn, such as those of an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..recording import same_array

if TYPE_CHECKING:
    from collections.abc import Sequence


class AffineNumber(NamedTuple):
    """A whole number that is ``start`` in the first turn and grows by ``step`` in each."""

    start: int
    step: int

    def stands_for(self, kind: type) -> bool:
        """Whether it can stand where a file is to have a number of this type."""
        return kind is int


class NotAffine(Exception):
    """The values differ in another way."""


def over_turns(values: Sequence[Any]) -> object:
    """The one value for all turns, in which numbers that grow stand as ``AffineNumber``.

    >>> over_turns([(0, 5), (0, 7), (0, 9)])
    (0, AffineNumber(start=5, step=2))
    """
    first = values[0]
    if all([value is first or alike(first, value) for value in values]):
        return first
    if any([type(value) is not type(first) for value in values]):
        raise NotAffine
    if type(first) is int:
        step = values[1] - first
        if all([value == first + step * turn for turn, value in enumerate(values)]):
            return AffineNumber(first, step)
    elif type(first) is tuple and len({len(value) for value in values}) == 1:
        return tuple([over_turns(parts) for parts in zip(*values, strict=True)])
    raise NotAffine


def in_turn(value: object, turn: Any) -> object:
    """The value as it is in one turn."""
    if type(value) is AffineNumber:
        return value.start + value.step * turn
    if type(value) is tuple:
        return tuple([in_turn(part, turn) for part in value])
    return value


def alike(one: Any, other: Any) -> bool:
    """Whether two constants or attributes are the same in every respect: type, sign, bits."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if type(one) in (tuple, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if type(one) in (int, str, bytes, np.dtype) or isinstance(one, np.dtype):
        return bool(one == other)
    if type(one) in (float, complex):
        return repr(one) == repr(other)
    if isinstance(one, (np.ndarray, np.generic)):
        return same_array(one, other)
    return hasattr(one, "_fields") and all(map(alike, one, other))
