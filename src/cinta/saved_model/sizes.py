"""The values in a recording that depend on the sizes of unknown dimensions.

Each class here stands for a value; ``at`` gives the value for some sizes.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import numpy as np

from .. import nest
from ..engine.shapes import Count, Positive
from ..ops.nn.sliding_windows import same_padding
from ..replay.recording import Constant, Recording, Step
from . import domains

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.tensor import Array


Sizes: TypeAlias = tuple[int, ...]
"""How large the unknown dimensions are."""

Term: TypeAlias = tuple[int, tuple[Count, ...]]
"""A coefficient, and which sizes it is multiplied by."""


class Size(NamedTuple):
    """A whole number: a sum of products of sizes.

    >>> Size(((2, (0, 1)), (1, ()))).at((3, 5))
    31
    """

    terms: tuple[Term, ...]

    @classmethod
    def number(cls, i: int) -> Size:
        """The size with this number."""
        return cls(((1, (i,)),))

    def stands_for(self, kind: type) -> bool:
        """Whether it can stand where a file is to have a number of this type."""
        return kind in (int, float)

    def at(self, sizes: Sizes) -> int:
        return sum(factor * math.prod(sizes[i] for i in which) for factor, which in self.terms)


class Quotient(NamedTuple):
    """A sum of products of sizes divided by a number, where the result is whole.

    >>> Quotient(Size(((1, (0,)), (-1, ()))), 2).at((5,))
    2
    """

    size: Size
    over: Positive

    def stands_for(self, kind: type) -> bool:
        """Whether it can stand where a file is to have a number of this type."""
        return kind in (int, float)

    def at(self, sizes: Sizes) -> int:
        found, rest = divmod(self.size.at(sizes), self.over)
        if rest:
            raise ValueError(f"sizes {list(sizes)} would lead to a part of 1 / {self.over}")
        return found


class Floor(NamedTuple):
    """A number, plus another, divided and rounded down: how often something fits into a length.

    >>> Floor(Floor(Size.number(0), 1, 2), 1, 2).at((9,))
    3
    """

    number: AnySize
    plus: int
    over: Positive

    def stands_for(self, kind: type) -> bool:
        """Whether it can stand where a file is to have a number of this type."""
        return kind in (int, float)

    def at(self, sizes: Sizes) -> int:
        return (self.number.at(sizes) + self.plus) // self.over


class SamePadding(NamedTuple):
    """How much "SAME" puts in front of an axis of this length, or behind it."""

    length: AnySize
    span: Positive
    stride: Positive
    behind: bool

    def stands_for(self, kind: type) -> bool:
        """Whether it can stand where a file is to have a number of this type."""
        return kind is int

    def at(self, sizes: Sizes) -> int:
        return same_padding(self.length.at(sizes), self.span, self.stride)[self.behind]


AnySize: TypeAlias = Size | Quotient | Floor
"""A whole number that depends on sizes."""

FUNCTIONS: dict[str, Any] = {
    "itself": lambda n: n,
    "reciprocal": lambda n: 1 / n if n else math.inf,
    "root": lambda n: n**0.5 if n >= 0 else math.nan,
    "reciprocal root": lambda n: n**-0.5 if n > 0 else math.inf,
}


class Number(NamedTuple):
    """A number that is a function of a size, as Python's float or as a NumPy scalar."""

    size: AnySize
    function: Annotated[str, FUNCTIONS.__contains__]
    dtype: np.dtype[Any] | None

    def stands_for(self, kind: type) -> bool:
        """Whether it can stand where a file is to have a number of this type."""
        return kind is float

    def at(self, sizes: Sizes) -> Array | float:
        found = FUNCTIONS[self.function](self.size.at(sizes))
        return float(found) if self.dtype is None else self.dtype.type(found)


class Full(NamedTuple):
    """An array of one value."""

    shape: tuple[int | AnySize, ...]
    value: object
    dtype: np.dtype[Any]

    def at(self, sizes: Sizes) -> Array:
        return np.full(filled(self.shape, sizes), filled(self.value, sizes), self.dtype)


class Ramp(NamedTuple):
    """An array whose elements grow by the same step all along an axis."""

    shape: tuple[int | AnySize, ...]
    start: int | AnySize
    steps: tuple[int | AnySize, ...]
    dtype: np.dtype[Any]

    def at(self, sizes: Sizes) -> Array:
        shape = filled(self.shape, sizes)
        result = np.full(shape, filled(self.start, sizes), np.int64)
        for axis, step in enumerate(filled(self.steps, sizes)):
            along = [1] * len(shape)
            along[axis] = shape[axis]
            result += (step * np.arange(shape[axis])).reshape(along)
        return result.astype(self.dtype)


class Band(NamedTuple):
    """Matrices with one value below a diagonal, one on it, and one above, such as masks."""

    shape: tuple[int | AnySize, ...]
    offset: int | AnySize
    below: object
    on: object
    above: object
    dtype: np.dtype[Any]

    def at(self, sizes: Sizes) -> Array:
        shape = filled(self.shape, sizes)
        rows, columns = shape[-2:]
        place = np.arange(columns) - np.arange(rows)[:, None] - filled(self.offset, sizes)
        values = [filled(value, sizes) for value in (self.below, self.on, self.above)]
        matrix = np.array(values, self.dtype)[np.sign(place) + 1]
        return np.broadcast_to(matrix, shape).copy()


class Elements(NamedTuple):
    """A small array whose elements vary, such as a shape that is a tensor."""

    shape: tuple[Count, ...]
    values: tuple[Any, ...]
    dtype: np.dtype[Any]

    def at(self, sizes: Sizes) -> Array:
        return np.array(filled(self.values, sizes), self.dtype).reshape(self.shape)


VARYING = (Size, Quotient, Floor, SamePadding, Number, Full, Ramp, Band, Elements)


def expected_numbers(expected: object) -> Sequence[Any]:
    """The numbers that a guard expects to find."""
    if isinstance(expected, Elements):
        expected = expected.values
    parts = expected if type(expected) is tuple else (expected,)
    return [part.size if isinstance(part, Number) else part for part in parts]


def has_sizes(expected: object) -> bool:
    """Whether a guard expects numbers that depend on sizes, or are sizes of their own."""
    return any([isinstance(part, (Size, Quotient, Floor)) for part in expected_numbers(expected)])


def filled(value: object, sizes: Sizes) -> Any:
    """The value with what depends on sizes computed, in structures and recordings too."""
    if isinstance(value, VARYING):
        return value.at(sizes)
    if isinstance(value, Constant):
        return Constant(filled(value.value, sizes))
    if isinstance(value, Recording):
        steps, results = filled(value.steps, sizes), filled(value.results, sizes)
        return replace(value, steps=steps, results=results, assigns=filled(value.assigns, sizes))
    if isinstance(value, tuple):
        parts = [filled(part, sizes) for part in value]
        if isinstance(value, Step):
            domains.check(value.op, parts[2])
        return nest.tuple_like(value, parts)
    if isinstance(value, list):
        return [filled(part, sizes) for part in value]
    if isinstance(value, dict):
        return {key: filled(part, sizes) for key, part in value.items()}
    return value
