"""Elements taken by their numbers, and put or added where the numbers say: rows, and along an axis.

Each op is the gradient of another.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import at
from ..broadcasting import lead
from ..halves import converted
from ..op import op
from ..summing import accumulator

if TYPE_CHECKING:
    from ..annotations import ArrayModule
    from ..shapes import Count
    from ..tensor import Array


_FEW = 4096  # elements that are added one by one sooner than SciPy is asked


@op("ScatterRows", linear=True)
def ScatterRows(xp: ArrayModule, values: Array, indices: Array, *, rows: Count, rank: int) -> Array:
    """A tensor of so many rows, each the sum of the values with its index.

    The values have ``rank`` axes, of which the first counts the indices, and any axes in front.
    """
    if xp is np:
        return _scatter_rows(values, indices, rows, rank)
    where = xp.where(indices < 0, rows, indices)
    front, rest = lead(values, rank), values.shape[values.ndim - rank + 1 :]
    zeros = xp.zeros((*front, rows, *rest), values.dtype)
    place = (..., where, *[slice(None)] * (rank - 1))
    return at(zeros, place).add(values, mode="drop")


def _scatter_rows(values: Array, indices: Array, rows: int, rank: int) -> Array:
    first = values.ndim - rank
    if indices.size and indices.min() < 0:
        kept = np.flatnonzero(indices >= 0)
        values, indices = values.take(kept, axis=first), indices[kept]
    front, rest = values.shape[:first], values.shape[first + 1 :]
    batches, width = prod(front), prod(rest)
    if batches != 1:  # every batch adds to rows of its own
        indices = (np.arange(batches)[:, None] * rows + indices).reshape(-1)
    flat = converted(values.reshape(indices.size, width), accumulator(values.dtype))
    added = _added_rows(flat, indices, batches * rows)
    return added.reshape(*front, rows, *rest).astype(values.dtype, copy=False)


def _added_rows(values: Array, indices: Array, rows: int) -> Array:
    """The rows of a matrix added up by their indices."""
    count, width = values.shape
    if width > 1 and values.size > _FEW and values.dtype != object:
        from scipy.sparse import csc_array

        if indices.max() >= rows:  # SciPy would add without a check of bounds
            raise IndexError(f"index {indices.max()} is out of bounds for {rows} rows")

        ones = np.ones(count, values.dtype)
        result: Array = (
            csc_array((ones, indices, np.arange(count + 1)), shape=(rows, count)) @ values
        )
        return result
    nothing = b"" if values.dtype == object else 0
    added = np.full(rows * width, nothing, values.dtype)
    places = indices if width == 1 else indices[:, None].astype(np.int64) * width + np.arange(width)
    np.add.at(added, places.reshape(-1), values.reshape(-1))
    return added


@op("TakeRows", moves=True)
def TakeRows(xp: ArrayModule, x: Array, indices: Array, *, rank: int) -> Array:
    """The rows of a tensor of this rank at these indices; zeros where an index is negative."""
    if xp is np and not (indices.size and indices.min() < 0):
        return x.take(indices, axis=-rank)
    taken = xp.take(x, xp.maximum(indices, 0), axis=-rank)
    return xp.where((indices >= 0).reshape((-1,) + (1,) * (rank - 1)), taken, taken.dtype.type(0))


ScatterRows.grads(values=lambda g, indices, rank: TakeRows(g, indices, rank=rank))


TakeRows.grads(
    x=lambda g, indices, x_shape, rank: ScatterRows(
        g, indices, rows=x_shape[len(x_shape) - rank], rank=rank
    )
)


@op("TakeAlong", moves=True, rowwise=True)
def TakeAlong(xp: ArrayModule, x: Array, indices: Array, *, axis: int) -> Array:
    """The elements at these places along an axis; x may have more axes in front."""
    front = x.shape[: x.ndim - indices.ndim]
    return xp.take_along_axis(x, xp.broadcast_to(indices, front + indices.shape), axis=axis)


@op("PutAlong", moves=True, rowwise=True)
def PutAlong(xp: ArrayModule, values: Array, indices: Array, *, length: int, axis: int) -> Array:
    """Zeros with the values at these places along an axis; no place may occur twice."""
    where = xp.broadcast_to(indices, values.shape)
    shape = list(values.shape)
    shape[axis] = length
    zeros = xp.zeros(tuple(shape), values.dtype)
    if xp is not np:
        return xp.put_along_axis(zeros, where, values, axis=axis, inplace=False)
    np.put_along_axis(zeros, where, values, axis=axis)
    return zeros


TakeAlong.grads(
    x=lambda g, indices, x_shape, axis: PutAlong(g, indices, length=x_shape[axis], axis=axis)
)
PutAlong.grads(values=lambda g, indices, axis: TakeAlong(g, indices, axis=axis))
