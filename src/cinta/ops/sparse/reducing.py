"""Sums and maxima of sparse tensors over axes, and how often which number occurs in each row."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.doors import on_one
from ...engine.kinds import INTEGER, NUMERIC, REAL
from ...engine.shapes import with_ones, without
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ..arguments import axes_from_right, flag, integers, tensor_of
from ..arrays.shaping import Reshape
from ..reductions.counting import check_counted_axis, number_of_counts
from ..reductions.rows import ScatterRows
from ..reductions.segments import SegmentMax
from .picking import flat_places, picked, sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor


def reduce_sum(
    sp_input: SparseTensor,
    axis: Any = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """Sums over axes, as a dense tensor or as a sparse one.

    >>> import cinta as tf
    >>> tf.sparse.reduce_sum(tf.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2]), 1).numpy()
    array([5, 6], dtype=int32)
    """
    x = sparse(sp_input)
    tensor_of("SparseReduceSum", x.values, NUMERIC)
    return _reduced("SparseReduceSum", _sums, x, axis, keepdims, output_is_sparse)


def reduce_max(
    sp_input: SparseTensor,
    axis: Any = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Any:
    """The largest of the values along axes, 0 where there is none.

    An element that is not there does not count: the largest may be negative.

    >>> import cinta as tf
    >>> tf.sparse.reduce_max(tf.SparseTensor([[0, 1], [1, 0]], [5, -6], [2, 2]), 1).numpy()
    array([ 5, -6], dtype=int32)
    """
    x = sparse(sp_input)
    tensor_of("SparseReduceMax", x.values, REAL)
    return _reduced("SparseReduceMax", _largest, x, axis, keepdims, output_is_sparse)


def _sums(values: Tensor, groups: Array, count: int) -> Tensor:
    return ScatterRows(values, wrap(groups), rows=count, rank=1)


def _largest(values: Tensor, groups: Array, count: int) -> Tensor:
    return SegmentMax(values, wrap(groups), rows=count, empty=0)


def _reduced(
    op: str,
    reduce: Callable[[Tensor, Array, int], Tensor],
    x: SparseTensor,
    axis: Any,
    keepdims: bool | None,
    output_is_sparse: bool,
) -> Any:
    x.places(op)
    axes = _axes(op, axis, len(x.lengths))
    left = [k for k in range(len(x.lengths)) if k - len(x.lengths) not in axes]
    lengths = [x.lengths[k] for k in left]
    places = flat_places(seen(x.indices)[:, left], lengths)
    shape = (with_ones if flag(keepdims, "keepdims") else without)(x.lengths, axes)
    if not flag(output_is_sparse, "output_is_sparse"):
        dense = reduce(x.values, places, prod(lengths))
        return on_one(Reshape, dense, shape=shape)
    present, groups = np.unique(places, return_inverse=True)
    values = reduce(x.values, groups, len(present))
    indices = np.stack(np.unravel_index(present, shape), 1) if shape else present[:, None][:, :0]
    return SparseTensor(wrap(indices.astype(np.int64)), values, np.array(shape, np.int64))


def _axes(op: str, axis: Any, rank: int) -> tuple[int, ...]:
    """The axes counted from the right; here TensorFlow lets one be named twice."""
    each = None if axis is None else list(set(integers(axis, "axis")))
    return axes_from_right(op, each, rank)


# -- counting ----------------------------------------------------------------------------------


def bincount(
    values: Any,
    weights: Any = None,
    axis: Any = 0,
    minlength: Any = None,
    maxlength: Any = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """How often each number occurs, in each row (``axis=-1``) or in all (``axis=0`` or None).

    With ``weights`` their sum for each number; with ``binary_output`` 1 for each that occurs.

    >>> import cinta as tf
    >>> tf.sparse.to_dense(tf.sparse.bincount([[1, 1], [0, 2]], axis=-1)).numpy()
    array([[0, 2, 0],
           [1, 0, 1]], dtype=int32)
    """
    check_counted_axis(axis)
    numbers, rows, count = _rows_of_numbers(values, axis == -1)
    counted = seen(numbers)
    tensor_of("SparseCountSparseOutput", numbers, INTEGER)
    if counted.size and counted.min() < 0:
        raise InvalidArgumentError("Input values must all be non-negative [Op:Bincount]")
    length = number_of_counts(counted, minlength, maxlength)
    kept = np.flatnonzero(counted < length)
    weight = _weights(weights, values, numbers)
    present, groups = np.unique(
        rows[kept] * length + counted[kept].astype(np.int64), return_inverse=True
    )
    if flag(binary_output, "binary_output"):
        totals = wrap(np.ones(len(present), weight._array.dtype))
    else:
        totals = _sums(picked(weight, kept), groups, len(present))
    indices = np.stack(np.divmod(present, max(length, 1)), 1)
    if axis == -1 and count is not None:
        return SparseTensor(wrap(indices), totals, [count, length])
    return SparseTensor(wrap(indices[:, 1:]), totals, [length])


def _rows_of_numbers(values: Any, by_row: bool) -> tuple[Tensor, Array, int | None]:
    """The numbers to count, the row of each of them, and how many rows there are."""
    if isinstance(values, SparseTensor):
        shape: Shape = values.lengths
        numbers = values.values
        rows = seen(values.indices)[:, 0]
    else:
        given = as_tensor(values)
        shape = given._array.shape
        numbers = on_one(Reshape, given, shape=(-1,))
        rows = np.repeat(np.arange(shape[0]), prod(shape[1:])) if shape else np.zeros(1, np.int64)
    if not by_row or len(shape) < 2:
        return numbers, np.zeros(len(rows), np.int64), None
    return numbers, rows, shape[0]


def _weights(weights: Any, values: Any, numbers: Tensor) -> Tensor:
    """What each number counts."""
    if weights is None:
        return wrap(np.ones(numbers._array.shape, numbers._array.dtype))
    if isinstance(weights, SparseTensor) != isinstance(values, SparseTensor):
        raise ValueError("weights must be a SparseTensor if values is one, and only then.")
    if isinstance(weights, SparseTensor):
        return weights.values
    given = as_tensor(weights)
    if given._array.shape != np.shape(as_tensor(values)._array):
        raise InvalidArgumentError(
            f"weights must have the shape of values, got {given.shape} [Op:DenseCountSparseOutput]"
        )
    return on_one(Reshape, given, shape=(-1,))
