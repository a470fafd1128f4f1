"""Views of the memory of arrays by strides, which never reach beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Array = np.ndarray[Any, Any]


def strided(array: Array, shape: Sequence[int], strides: Sequence[int]) -> Array:
    """A view that cannot be written to; ``ValueError`` if it would reach beyond the array.

    >>> strided(np.arange(4, dtype=np.int8), (3, 2), (1, 1)).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    if min(shape, default=0) < 0:
        raise ValueError(f"a view cannot have the shape {tuple(shape)}")
    if 0 not in shape:
        low, high = _reach(zip(shape, strides, strict=True))
        first, last = _reach(zip(array.shape, array.strides, strict=True))
        if not array.size or low < first or high > last:
            raise ValueError(
                f"a view of the shape {tuple(shape)} reaches beyond its array, of the shape "
                f"{array.shape}"
            )
    return as_strided(array, shape, strides, writeable=False)


class Window(NamedTuple):
    """A view of an array by its place in memory: any array of the same form has such a view.

    ``corner`` is where the element lies that comes first in memory, ``reversed`` the axes of the
    view along which its elements lie the other way round.
    """

    corner: tuple[int, ...]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    reversed: tuple[bool, ...]

    @classmethod
    def between(cls, view: Array, array: Array) -> Window | None:
        """The window through which an array is seen as this view, if it is one.

        >>> array = np.arange(6).reshape(2, 3)
        >>> window = Window.between(array[:, ::-2], array)
        >>> window.of(array + 10).tolist()
        [[12, 10], [15, 13]]
        """
        owner = array if array.base is None else array.base
        if view.base is not owner or view.dtype != array.dtype or not view.size:
            return None
        corner = _corner(_lowest(view) - _lowest(array), _upright(array))
        reversed_ = tuple([stride < 0 for stride in view.strides])
        window = cls(corner, view.shape, tuple(map(abs, view.strides)), reversed_)
        try:
            found = window.of(array)
        except (ValueError, IndexError):  # it is beside the array
            return None
        return window if _place(found) == _place(view) else None

    def of(self, array: Array) -> Array:
        """The view of an array, which cannot be written to."""
        begun = _part(_upright(array), [slice(start, None) for start in self.corner])
        return _turned(strided(begun, self.shape, self.strides), self.reversed)


def _corner(offset: int, array: Array) -> tuple[int, ...]:
    """The index of the element so many bytes behind the first; rows are met before columns."""
    index = [0] * array.ndim
    for axis in sorted(range(array.ndim), key=lambda axis: -array.strides[axis]):
        stride = array.strides[axis]
        index[axis] = min(offset // stride, array.shape[axis] - 1) if stride else 0
        offset -= index[axis] * stride
    return tuple(index)


def _upright(array: Array) -> Array:
    """The same elements in the order of memory along each axis."""
    return _turned(array, [stride < 0 for stride in array.strides])


def _turned(array: Array, which: Sequence[bool]) -> Array:
    return _part(array, [slice(None, None, -1 if turn else 1) for turn in which])


def _part(array: Array, along: Sequence[slice[Any, Any, Any]]) -> Array:
    """These slices along the axes; an array even if there are none."""
    view: Array = array[(Ellipsis, *along)]  # type: ignore[arg-type]  # which NumPy takes
    return view


def _lowest(array: Array) -> int:
    address, _, _ = _place(_upright(array))
    return address


def _place(array: Array) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    address: int = array.__array_interface__["data"][0]
    return address, array.shape, array.strides


def _reach(axes: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """How many bytes before and behind the first element the others begin."""
    low = high = 0
    for length, stride in axes:
        if stride < 0:
            low += stride * (length - 1)
        else:
            high += stride * (length - 1)
    return low, high
