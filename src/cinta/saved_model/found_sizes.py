"""Whole numbers that a call finds where Python looks at a value, and formulas take for sizes.

Half of a length is such a number, which a slice may end at. It is computed in each call, by the
steps that were recorded, and is one more size for all that comes after it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from .points import NoPattern
from .size_checks import of_sizes, value_at
from .size_formulas import fitted
from .sizes import Elements, Number, Size, expected_numbers, has_sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..replay.recording import Guard, Recording, Step
    from .points import Points
    from .sizes import Sizes

    At = Callable[[Sizes], object]

_FEW = 16


def found_at(values: Sequence[Any], points: Points, at: At | None) -> tuple[Any, Points]:
    """The form that has these values, and the points with the new sizes in it.

    ``at`` tells what is found for other sizes, if it depends on sizes alone.
    """
    numbers = [numbers_in(value) for value in values]
    first = values[0]
    if any(each is None for each in numbers) or len({np.shape(value) for value in values}) > 1:
        return fitted(values, points), points
    found = []
    columns: Any = zip(*numbers, strict=True)
    for place, column in enumerate(columns):
        one, points = _number_at([*column], points, at and _in_place(at, place))
        found.append(one)
    return _like(first, found), points


def _number_at(
    values: list[int], points: Points, at: Callable[[Sizes], int] | None
) -> tuple[Any, Points]:
    try:
        form = fitted(values, points)
        if at is None or points.holds_elsewhere(form, at):
            return form, points
    except NoPattern:
        pass
    points = points.finding(values, at)
    return Size.number(len(points.all[0]) - 1), points


def _in_place(at: At, place: int) -> Callable[[Sizes], int]:
    def number(sizes: Sizes) -> int:
        numbers = numbers_in(at(sizes))
        assert numbers is not None
        return numbers[place]

    return number


def numbers_in(found: object) -> list[int] | None:
    """The whole numbers in what a look finds; None if there is anything else, or much."""
    if type(found) is tuple:
        return [*found] if all([type(n) is int for n in found]) else None
    if type(found) is int:
        return [found]
    if not isinstance(found, (np.ndarray, np.integer)) or found.dtype.kind not in "iu":
        return None
    return [int(n) for n in found.reshape(-1)] if found.size <= _FEW else None


def _like(first: Any, numbers: Sequence[Any]) -> Any:
    """The form of what a look finds, with these numbers, of which some depend on sizes."""
    if type(first) is tuple:
        return tuple(numbers)
    if type(first) is int:
        return numbers[0]
    if all([type(n) is int for n in numbers]):
        return first
    if isinstance(first, np.ndarray):
        items = [_scalar(n, first.dtype) for n in numbers]
        return Elements(first.shape, tuple(items), first.dtype)
    return _scalar(numbers[0], first.dtype)


def _scalar(number: Any, dtype: np.dtype[Any]) -> Any:
    if type(number) is int:
        return dtype.type(number)
    return Number(number, "itself", dtype)


def with_found(sizes: Sizes, expected: object, found: object) -> Sizes:
    """The sizes and those that are found here first."""
    parts, numbers = expected_numbers(expected), numbers_in(found)
    if numbers is None or len(numbers) != len(parts):
        return sizes
    for part, number in zip(parts, numbers, strict=True):
        if isinstance(part, Size) and part == Size.number(len(sizes)):
            sizes = (*sizes, number)
    return sizes


def finds_sizes(recording: Recording, given: int) -> bool:
    """Whether formulas in a recording need others than so many sizes."""
    parts = [part for guard in recording.guards for part in expected_numbers(guard.found)]
    sizes = [part for part in parts if isinstance(part, Size)]
    return any([i >= given for size in sizes for _, which in size.terms for i in which])


def deciding(recording: Recording) -> list[Guard]:
    """The guards by which Python decides: they do not find sizes for formulas alone."""
    return [guard for guard in recording.guards if not has_sizes(guard.found)]


def looking(guard: Guard, before: Sequence[Step | Guard]) -> At | None:
    """Tells what a guard finds for other sizes, if that depends on sizes alone."""
    chain = of_sizes(guard.value, before)
    if chain is None:
        return None
    return lru_cache(maxsize=None)(lambda sizes: guard.look(value_at(guard.value, chain, sizes)))
