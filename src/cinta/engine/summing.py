"""Adding up, fast and with small rounding errors."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .halves import converted
from .shapes import with_ones, without

if TYPE_CHECKING:
    from .annotations import ArrayModule
    from .shapes import Shape
    from .tensor import Array

Axes = tuple[int, ...]

# elements: of a large array, a short row, a block; and rows that are narrow
_LARGE, _SHORT, _BLOCK, _NARROW = 1 << 14, 64, 1 << 12, 256


def accumulator(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype to add up in: half precision is added in single precision."""
    return np.dtype(np.float32) if dtype.itemsize == 2 and dtype.kind in "fV" else dtype


def count(shape: Shape, axis: Axes) -> int:
    """How many elements go into one result of a reduction over these axes."""
    return prod([shape[i] for i in axis])


def summed(xp: ArrayModule, x: Array, axis: Axes, keepdims: bool) -> Array:
    """The sum over axes that are counted from the right, in the dtype of the accumulator."""
    sums = None
    if xp is np and x.size >= _LARGE:
        x = converted(x, accumulator(x.dtype))
        sums = _quick_sums(x, axis)
    if sums is None:
        return xp.add.reduce(x, axis=axis, dtype=accumulator(x.dtype), keepdims=keepdims)
    return sums.reshape((with_ones if keepdims else without)(x.shape, axis))[()]


def added_as_numpy_does(dtype: np.dtype[Any], shape: Shape) -> bool:
    """Whether the sum of such an array is no more than NumPy's ``add.reduce``, in its dtype."""
    return accumulator(dtype) == dtype and prod(shape) < _LARGE


def _quick_sums(x: Array, axis: Axes) -> Array | None:
    """The sums over the last or the first axes of a large array of floats, or None.

    ``einsum`` adds the elements of rows in a third of the time of ``add.reduce``; a product with
    ones adds rows that are narrow in as little as a hundredth.
    """
    if not axis or x.dtype.char not in "fd" or not x.flags.c_contiguous:
        return None
    rank, number, length = x.ndim, len(axis), count(x.shape, axis)
    if axis == tuple(range(-number, 0)) and (_SHORT <= length <= _BLOCK or number == rank):
        return _row_sums(x.reshape(-1, length))
    if axis == tuple(range(-rank, number - rank)) and x.size < length * _NARROW:
        return np.ones(length, x.dtype) @ x.reshape(length, -1)
    return None


def _row_sums(rows: Array) -> Array:
    """The sums of the rows of a matrix; of a long one by blocks, or its errors would grow."""
    if rows.shape[1] <= _BLOCK:
        result: Array = np.einsum("ij->i", rows)
        return result
    (row,) = rows
    whole = row.size - row.size % _BLOCK
    blocks = np.einsum("ij->i", row[:whole].reshape(-1, _BLOCK))
    total: Array = np.add.reduce(blocks) + np.add.reduce(row[whole:])
    return total
