"""Scattering: values put, or added, at the places that index vectors name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.arrays import at
from ...engine.convert import as_tensor, match
from ...engine.dtype_kinds import ANY, NUMERIC, REAL
from ...engine.fast_calls import on_one
from ...engine.op import Op, op
from ...engine.primitives import Reshape, ScatterRows
from ...engine.shapes import Shape
from ...engine.slice_updates import check_slices
from ...public import public
from ..arguments import shape_argument, tensor_of, whole
from ..elementwise.comparison import Equal
from .gathering import Gather, rows_at
from .gathering_nd import ignores_bad_indices, row_behind, rows_or_behind
from .selecting import SelectV2

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, ShapeLike, TensorLike
    from ...engine.tensor import Array, Tensor


# -- primitives --------------------------------------------------------------------------------


@op("TensorScatterUpdate")
def TensorScatterUpdate(
    xp: ArrayModule, x: Array, indices: Array, updates: Array, *, rank: int
) -> Array:
    """Rows replaced: those at the indices, along the first of the ``rank`` last axes."""
    where = _rows(x, indices, rank)
    if xp is not np:
        return at(x, where).set(updates)
    changed = x.copy()
    changed[where] = updates
    return changed


@op("TensorScatterTies")
def TensorScatterTies(
    xp: ArrayModule, x: Array, indices: Array, updates: Array, extremes: Array, *, rank: int
) -> Array:
    """How many values reach the extreme, among the tensor's own and the updates."""
    where = _rows(x, indices, rank)
    reached: Array = (x == extremes).astype(x.dtype)
    reaching = (updates == extremes[where]).astype(x.dtype)
    if xp is not np:
        return at(reached, where).add(reaching)
    np.add.at(reached, where, reaching)
    return reached


def _rows(x: Array, indices: Array, rank: int) -> tuple[Any, ...]:
    return (*[slice(None)] * (x.ndim - rank), indices)


TensorScatterTies.no_grad()
TensorScatterUpdate.grads(
    x=lambda g, indices, rank: TensorScatterUpdate(g, indices, 0, rank=rank),
    updates=lambda g, indices, rank: Gather(g, indices, axis=-rank),
)


def extreme(name: str, ufunc: str, method: str) -> Op:
    """An op that takes the larger, or the smaller, of a tensor's rows and the updates."""

    def kernel(xp: ArrayModule, x: Array, indices: Array, updates: Array, *, rank: int) -> Array:
        where = _rows(x, indices, rank)
        if xp is not np:
            updated: Array = getattr(at(x, where), method)(updates)
            return updated
        changed = x.copy()
        getattr(np, ufunc).at(changed, where, updates)
        return changed

    declared = Op(name, kernel)
    declared.pullback(shared_extreme)
    return declared


def shared_extreme(
    g: Tensor,
    wanted: tuple[bool, ...],
    x: Tensor,
    indices: Tensor,
    updates: Tensor,
    out: Tensor,
    rank: int,
) -> tuple[Any, None, Any]:
    """Whoever reaches the extreme has a share of the gradient, in equal parts."""
    share = g / TensorScatterTies(x, indices, updates, out, rank=rank)
    of_x = SelectV2(Equal(x, out), share, 0)
    reaches = Equal(updates, Gather(out, indices, axis=-rank))
    return of_x, None, SelectV2(reaches, Gather(share, indices, axis=-rank), 0)


TensorScatterMax = extreme("TensorScatterMax", "maximum", "max")
TensorScatterMin = extreme("TensorScatterMin", "minimum", "min")

# -- functions ---------------------------------------------------------------------------------


def _scatter_inputs(
    op: str, shape: Shape, indices: TensorLike, updates: Tensor, ignores: bool
) -> tuple[Shape, Tensor, Tensor]:
    """The shape as rows, the numbers of the rows that change, and what they change by.

    If bad indices are ignored, they lead behind the last row.
    """
    vectors = whole(indices)
    check_slices(vectors._array.shape, updates._array.shape, shape)
    rows, places = (rows_or_behind if ignores else rows_at)(op, vectors, shape)
    count = places._array.size
    flat: Tensor = Reshape(places, shape=(count,))
    return rows, flat, on_one(Reshape, updates, shape=(count, *rows[1:]))


@public("scatter_nd")
def scatter_nd(
    indices: TensorLike,
    updates: TensorLike,
    shape: ShapeLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """Zeros of this shape, with the updates added at these index vectors; strings are joined.

    >>> import cinta as tf
    >>> tf.scatter_nd([[1], [3], [1]], [10, 20, 30], [5]).numpy()
    array([ 0, 40,  0, 20,  0], dtype=int32)

    Args:
        indices: Integers; a vector along the last axis leads to an element, a shorter one to a
            slice.
        updates: What to add at each of them.
        shape: The shape of the result.
        bad_indices_policy: "", "DEFAULT" or "ERROR": indices out of range are refused. "IGNORE":
            they are passed over.

    Raises:
        InvalidArgumentError: If an index is out of range.
    """
    ignores = ignores_bad_indices(bad_indices_policy)
    sizes, values = shape_argument(shape), as_tensor(updates)
    rows, places, values = _scatter_inputs("ScatterNd", sizes, indices, values, ignores)
    scattered = ScatterRows(values, places, rows=rows[0] + ignores, rank=len(rows))
    return on_one(Reshape, scattered[:-1] if ignores else scattered, shape=sizes)


@public("tensor_scatter_nd_add")
def tensor_scatter_nd_add(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """The tensor with the updates added at these index vectors.

    >>> import cinta as tf
    >>> tf.tensor_scatter_nd_add([1, 1, 1], [[0], [0]], [10, 20]).numpy()
    array([31,  1,  1], dtype=int32)

    Args:
        tensor: A tensor.
        indices: Integers; a vector along the last axis leads to an element, a shorter one to a
            slice.
        updates: What to add at each of them.
        bad_indices_policy: "", "DEFAULT" or "ERROR": indices out of range are refused. "IGNORE":
            they are passed over.

    Raises:
        InvalidArgumentError: If an index is out of range.
    """
    x, values = match("TensorScatterAdd", tensor, updates)
    tensor_of("TensorScatterAdd", x, NUMERIC)
    return x + scatter_nd(indices, values, x._array.shape, bad_indices_policy)


@public("tensor_scatter_nd_sub")
def tensor_scatter_nd_sub(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """The tensor with the updates subtracted at these index vectors.

    >>> import cinta as tf
    >>> tf.tensor_scatter_nd_sub([1, 5, 3], [[0], [0]], [4, 4]).numpy()
    array([-7,  5,  3], dtype=int32)

    Args:
        tensor: A tensor.
        indices: Integers; a vector along the last axis leads to an element, a shorter one to a
            slice.
        updates: What to subtract at each of them.
        bad_indices_policy: "", "DEFAULT" or "ERROR": indices out of range are refused. "IGNORE":
            they are passed over.

    Raises:
        InvalidArgumentError: If an index is out of range.
    """
    x, values = match("TensorScatterSub", tensor, updates)
    tensor_of("TensorScatterSub", x, NUMERIC)
    return x - scatter_nd(indices, values, x._array.shape, bad_indices_policy)


def _scattered_onto(
    op: Op,
    tensor: object,
    indices: TensorLike,
    updates: TensorLike,
    policy: str,
    kinds: str = REAL,
) -> Tensor:
    ignores = ignores_bad_indices(policy)
    x, values = match(op.name, tensor, updates)
    tensor_of(op.name, x, kinds)
    shape = x._array.shape
    rows, places, changes = _scatter_inputs(op.name, shape, indices, values, ignores)
    before = on_one(Reshape, x, shape=rows)
    changed = op(row_behind(before) if ignores else before, places, changes, rank=len(rows))
    return on_one(Reshape, changed[:-1] if ignores else changed, shape=shape)


@public("tensor_scatter_nd_update")
def tensor_scatter_nd_update(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """The tensor with the updates in place of what stood at these index vectors.

    >>> import cinta as tf
    >>> tf.tensor_scatter_nd_update([1, 2, 3], [[0]], [9]).numpy()
    array([9, 2, 3], dtype=int32)

    Args:
        tensor: A tensor.
        indices: Integers; a vector along the last axis leads to an element, a shorter one to a
            slice.
        updates: What to put at each of them.
        bad_indices_policy: "", "DEFAULT" or "ERROR": indices out of range are refused. "IGNORE":
            they are passed over.

    Raises:
        InvalidArgumentError: If an index is out of range.
    """
    return _scattered_onto(TensorScatterUpdate, tensor, indices, updates, bad_indices_policy, ANY)


@public("tensor_scatter_nd_max")
def tensor_scatter_nd_max(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """The tensor, with the larger of itself and the updates at these index vectors.

    >>> import cinta as tf
    >>> tf.tensor_scatter_nd_max([1, 5, 3], [[0], [1]], [4, 4]).numpy()
    array([4, 5, 3], dtype=int32)

    Args:
        tensor: A tensor.
        indices: Integers; a vector along the last axis leads to an element, a shorter one to a
            slice.
        updates: What to compare with at each of them.
        bad_indices_policy: "", "DEFAULT" or "ERROR": indices out of range are refused. "IGNORE":
            they are passed over.

    Raises:
        InvalidArgumentError: If an index is out of range.
    """
    return _scattered_onto(TensorScatterMax, tensor, indices, updates, bad_indices_policy)


@public("tensor_scatter_nd_min")
def tensor_scatter_nd_min(
    tensor: TensorLike,
    indices: TensorLike,
    updates: TensorLike,
    bad_indices_policy: str = "",
    name: str | None = None,
) -> Tensor:
    """The tensor, with the smaller of itself and the updates at these index vectors.

    >>> import cinta as tf
    >>> tf.tensor_scatter_nd_min([1, 5, 3], [[0], [1]], [4, 4]).numpy()
    array([1, 4, 3], dtype=int32)

    Args:
        tensor: A tensor.
        indices: Integers; a vector along the last axis leads to an element, a shorter one to a
            slice.
        updates: What to compare with at each of them.
        bad_indices_policy: "", "DEFAULT" or "ERROR": indices out of range are refused. "IGNORE":
            they are passed over.

    Raises:
        InvalidArgumentError: If an index is out of range.
    """
    return _scattered_onto(TensorScatterMin, tensor, indices, updates, bad_indices_policy)
