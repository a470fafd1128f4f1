"""Find how a value depends on the sizes of unknown dimensions, from the values at some sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import nest
from ..engine.arrays import shortened
from ..replay.recording import same_array
from .points import NeedsPoints as NeedsPoints
from .points import NoPattern as NoPattern
from .points import Points as Points
from .sizes import FUNCTIONS, Band, Elements, Full, Number, Ramp, Size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.tensor import Array
    from .sizes import AnySize, Sizes

    Shape: TypeAlias = tuple[int | AnySize, ...]

_FEW = 16
"""Up to how many elements of an array are looked at one by one."""

_INVERSES: dict[str, Callable[[Any], Any]] = {
    "itself": lambda x: x,
    "reciprocal": lambda x: 1 / x,
    "root": lambda x: x * x,
    "reciprocal root": lambda x: 1 / (x * x),
}


def fitted(values: Sequence[Any], points: Points) -> Any:
    """The one value, or what it is for any sizes."""
    first = values[0]
    if any(type(value) is not type(first) for value in values):
        raise NoPattern(_listed(values, points))
    if all(is_same(value, first) for value in values):
        return first
    if isinstance(first, (tuple, list)) and len({len(value) for value in values}) == 1:
        parts = [fitted(each, points) for each in zip(*values, strict=True)]
        return nest.tuple_like(first, parts) if isinstance(first, tuple) else parts
    if isinstance(first, dict) and all(value.keys() == first.keys() for value in values):
        return {key: fitted([value[key] for value in values], points) for key in first}
    for form in _forms(values, points):
        if all(_gives(form, p, v) for p, v in zip(points.all, values, strict=True)):
            return form
    raise NoPattern(_listed(values, points))


def _gives(form: Any, sizes: Sizes, value: object) -> bool:
    """Whether the form has this value for these sizes."""
    try:
        return is_same(form.at(sizes), value)
    except ValueError:  # it has none
        return False


def _forms(
    values: Sequence[Any], points: Points
) -> Iterator[AnySize | Number | Full | Elements | Ramp | Band]:
    """The candidates for the value at any sizes."""
    first = values[0]
    if type(first) is int:
        yield points.size(values)
        if (*values,) in points.lengths:
            yield points.lengths[(*values,)]
    elif isinstance(first, (float, np.number)):
        yield from _numbers(values, points, getattr(first, "dtype", None))
    elif isinstance(first, np.ndarray) and len({(v.ndim, v.dtype) for v in values}) == 1:
        yield from _arrays(values, points)


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are the same; floats may differ in the last two digits."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (np.ndarray, np.generic)):
        return same_array(one, other) or (one.shape == other.shape and _is_close(one, other))
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(is_same, one.values(), other.values()))
    if isinstance(one, float):
        return repr(one) == repr(other) or _is_close(one, other)
    return bool(one == other)


def _is_close(one: Any, other: Array | float) -> bool:
    """Whether two floats differ by rounding alone."""
    dtype = np.asarray(one).dtype
    if dtype.kind not in "fc" or np.asarray(other).dtype != dtype:
        return False
    return bool(np.all(abs(one - other) <= 2 * np.finfo(dtype).eps * abs(other)))


# -- numbers --------------------------------------------------------------------------------------


def _numbers(
    values: Sequence[Any], points: Points, dtype: np.dtype[Any] | None
) -> Iterator[Number]:
    whole = dtype is not None and dtype.kind not in "fc"
    for name in ("itself",) if whole else FUNCTIONS:
        wanted = [_INVERSES[name](float(v)) if v else np.nan for v in values]
        if np.isfinite(wanted).all():
            size = points.size([round(x) for x in wanted])
            if isinstance(size, Size):
                yield Number(size, name, dtype)


# -- arrays ---------------------------------------------------------------------------------------


def _arrays(values: Sequence[Array], points: Points) -> Iterator[Full | Elements | Ramp | Band]:
    dtype = values[0].dtype
    if dtype.kind == "O":
        return
    shape = fitted([value.shape for value in values], points)
    legible = [i for i, value in enumerate(values) if _is_legible(value, shape)]
    points, values = points.only(legible), [values[i] for i in legible]
    for pattern in (_full, _elements, _ramp, _band):
        try:
            yield pattern(values, points, shape, dtype)
        except NoPattern:
            continue


def _is_legible(value: Array, shape: Shape) -> bool:
    """Whether it has two elements, of which patterns are known, along all axes that vary."""
    return all(isinstance(known, int) or n > 1 for known, n in zip(shape, value.shape, strict=True))


def _full(values: Sequence[Array], points: Points, shape: Shape, dtype: np.dtype[Any]) -> Full:
    if any(value.size == 0 or (value != value.flat[0]).any() for value in values):
        raise NoPattern
    return Full(shape, fitted([value.flat[0] for value in values], points), dtype)


def _elements(
    values: Sequence[Array], points: Points, shape: Shape, dtype: np.dtype[Any]
) -> Elements:
    known = values[0].shape
    if known != shape or any(value.size > _FEW for value in values):
        raise NoPattern
    flat = [tuple(value.reshape(-1)) for value in values]
    return Elements(known, fitted(flat, points), dtype)


def _ramp(values: Sequence[Array], points: Points, shape: Shape, dtype: np.dtype[Any]) -> Ramp:
    starts, steps = [], []
    for value in values:
        whole = value.dtype.kind in "iu" or (
            value.dtype.kind == "f" and np.isfinite(value).all() and (value == value.round()).all()
        )
        if not whole or value.size == 0:
            raise NoPattern
        starts.append(int(value.flat[0]))
        second = [value[(0,) * axis][min(1, n - 1)] for axis, n in enumerate(value.shape)]
        steps.append(tuple([int(x.flat[0]) - starts[-1] for x in second]))
    return Ramp(shape, fitted(starts, points), fitted(steps, points), dtype)


def _band(values: Sequence[Array], points: Points, shape: Shape, dtype: np.dtype[Any]) -> Band:
    found = [_diagonals(value) for value in values]
    offset, below, on, above = fitted(found, points)
    return Band(shape, offset, below, on, above, dtype)


def _diagonals(value: Array) -> tuple[int, Any, Any, Any]:
    """The diagonal on which the value changes, and the values below, on and above it."""
    if value.ndim < 2 or min(value.shape[-2:]) < 2:
        raise NoPattern
    rows, columns = value.shape[-2:]
    matrix = value.reshape(-1, rows, columns)[0]
    line = np.concatenate([matrix[:0:-1, 0], matrix[0]])  # one element of each diagonal
    changes = np.flatnonzero(line[1:] != line[:-1])
    if not 1 <= len(changes) <= 2 or changes[-1] - changes[0] > 1:
        raise NoPattern
    place = int(changes[0]) + 1  # of the first that differs from those below
    return place - (rows - 1), line[place - 1], line[place], line[-1]


def _listed(values: Sequence[Any], points: Points) -> str:
    """Some values at their sizes, for people."""
    pairs = [f"{shortened(repr(value))} at {points.written(i)}" for i, value in enumerate(values)]
    return ", ".join(pairs[:4])
