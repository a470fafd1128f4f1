"""Checks of arguments that are numbers, lengths, places and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.shapes import written
from ...engine.tensor import seen
from ...errors import InvalidArgumentError, out_of_memory
from ...ops.arguments import common_shape, listed, shape_argument, whole_number
from .types import asarray

if TYPE_CHECKING:
    from ...engine.annotations import TensorLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array


_MOST_AXES = 64


def lengths(shape: object, argument: str = "shape") -> Shape:
    """The lengths of axes, given as a number, a list or a tensor."""
    found = shape_argument(shape, argument)
    if min(found, default=0) < 0:
        raise InvalidArgumentError(
            f"`{argument}` is a shape, whose lengths must be >= 0, got {shape!r}."
        )
    return found


def count(given: object, argument: str) -> int:
    """A whole number from 0 on."""
    found = whole_number(given, argument)
    if found < 0:
        raise ValueError(f"`{argument}` must be non-negative. Got {argument}={found}")
    return found


def rank(given: int, argument: str) -> int:
    """A number of axes that arrays can have."""
    found = count(given, argument)
    if found > _MOST_AXES:
        raise ValueError(f"`{argument}` must be at most {_MOST_AXES}, got {found}.")
    return found


def numbered(number: int, op: str) -> Array:
    """So many whole numbers, from 0 on."""
    try:
        return np.arange(number)
    except (MemoryError, OverflowError, ValueError) as error:
        raise out_of_memory(op, (number,), error) from None


def fits(shape: Shape, wanted: Shape, argument: str) -> None:
    """Refuse an argument of a shape that is not broadcast to the one that is wanted."""
    if common_shape(argument, shape, wanted) != wanted:
        raise InvalidArgumentError(
            f"`{argument}` must be of the shape {written(wanted)}, or be broadcast to it, but it "
            f"is of the shape {written(shape)}."
        )


def places(given: TensorLike, argument: str) -> Array:
    """Whole numbers that say where elements are."""
    array = np.asarray(seen(asarray(given)))
    if array.dtype.kind in "iu":
        return array
    if array.size:
        raise InvalidArgumentError(
            f"`{argument}` must be whole numbers, but they are {dtypes.of(array.dtype)!r}: "
            f"{given!r}."
        )
    return array.astype(np.int64)


def several(given: object, argument: str) -> list[Any]:
    """A list of one array or more."""
    arrays = listed(given, argument)
    if not arrays:
        raise ValueError(
            f"Need at least one array to concatenate. Received empty input: {argument}={given!r}"
        )
    return arrays


def is_one_of(given: object, choices: tuple[str, ...]) -> bool:
    """Whether this is one of the words; arrays are none, and make no arrays of the answer."""
    return isinstance(given, str) and given in choices
