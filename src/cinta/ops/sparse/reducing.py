"""Sums and maxima of sparse tensors over axes, and how often which number occurs in each row."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from ...engine.convert import as_tensor
from ...engine.dtype_kinds import NUMERIC, REAL
from ...engine.fast_calls import on_one
from ...engine.primitives import Reshape, ScatterRows
from ...engine.shapes import with_ones, without
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axes_from_right, flag, integer, integers, tensor_of
from ..reductions.segment_ops import SegmentMax
from .counting import counts_by_row, number_of_counts, numbers_of, weights_of
from .picking import flat_places, picked, sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import AxisLike, IntLike, NumericLike
    from ...engine.tensor import Array, Tensor


@overload
def reduce_sum(
    sp_input: SparseTensor,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: Literal[False] = False,
    name: str | None = None,
) -> Tensor: ...
@overload
def reduce_sum(
    sp_input: SparseTensor,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    *,
    output_is_sparse: Literal[True],
    name: str | None = None,
) -> SparseTensor: ...
@public("sparse.reduce_sum")
def reduce_sum(
    sp_input: SparseTensor,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor | SparseTensor:
    """Sums over axes, as a dense tensor or as a sparse one.

    >>> import cinta as tf
    >>> tf.sparse.reduce_sum(tf.SparseTensor([[0, 1], [1, 0]], [5, 6], [2, 2]), 1).numpy()
    array([5, 6], dtype=int32)

    Args:
        sp_input: A sparse tensor.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
        output_is_sparse: Whether the result is sparse.
    """
    x = sparse(sp_input)
    tensor_of("SparseReduceSum", x.values, NUMERIC)
    return _reduced("SparseReduceSum", _sums, x, axis, keepdims, output_is_sparse)


@overload
def reduce_max(
    sp_input: SparseTensor,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: Literal[False] = False,
    name: str | None = None,
) -> Tensor: ...
@overload
def reduce_max(
    sp_input: SparseTensor,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    *,
    output_is_sparse: Literal[True],
    name: str | None = None,
) -> SparseTensor: ...
@public("sparse.reduce_max")
def reduce_max(
    sp_input: SparseTensor,
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    output_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor | SparseTensor:
    """The largest of the values along axes, 0 where there is none.

    An element that is not there does not count: the largest may be negative.

    >>> import cinta as tf
    >>> tf.sparse.reduce_max(tf.SparseTensor([[0, 1], [1, 0]], [5, -6], [2, 2]), 1).numpy()
    array([ 5, -6], dtype=int32)

    Args:
        sp_input: A sparse tensor.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
        output_is_sparse: Whether the result is sparse.
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
    axis: AxisLike | None,
    keepdims: bool | None,
    output_is_sparse: bool,
) -> Tensor | SparseTensor:
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


def _axes(op: str, axis: AxisLike | None, rank: int) -> tuple[int, ...]:
    """The axes counted from the right; here TensorFlow lets one be named twice."""
    each = None if axis is None else list(set(integers(axis, "axis")))
    return axes_from_right(op, each, rank)


# -- counting ----------------------------------------------------------------------------------


@public("sparse.bincount")
def bincount(
    values: NumericLike | SparseTensor,
    weights: NumericLike | SparseTensor | None = None,
    axis: IntLike = 0,
    minlength: IntLike | None = None,
    maxlength: IntLike | None = None,
    binary_output: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """How often each number occurs, in each row (``axis=-1``) or in all (``axis=0`` or None).

    With ``weights`` their sum for each number; with ``binary_output`` 1 for each that occurs.

    >>> import cinta as tf
    >>> tf.sparse.to_dense(tf.sparse.bincount([[1, 1], [0, 2]], axis=-1)).numpy()
    array([[0, 2, 0],
           [1, 0, 1]], dtype=int32)

    Args:
        values: Whole numbers, dense or sparse.
        weights: A weight for each of them.
        axis: -1 for each row, 0 or None for all.
        minlength: The least length of the result.
        maxlength: The greatest; greater numbers do not count.
        binary_output: Whether to tell only which numbers occur.
    """
    by_row = counts_by_row(weights, axis, binary_output)
    values = values if isinstance(values, SparseTensor) else as_tensor(values)
    numbers = numbers_of("DenseCountSparseOutput", values, by_row)
    flat = numbers.flat
    weight = weights_of("DenseCountSparseOutput", weights, values, by_row, flat.dtype)
    counted = seen(flat)
    least = max(_attribute(minlength, "minlength") or 1, 1)  # as if a 0 had been there
    most = _attribute(maxlength, "maxlength")
    length = number_of_counts("DenseCountSparseOutput", flat, least, most)
    kept = np.flatnonzero(counted < length)
    width = max(length, 1)
    groups, members = np.unique(
        numbers.rows[kept] * width + counted[kept].astype(np.int64), return_inverse=True
    )
    if flag(binary_output, "binary_output"):
        totals = wrap(np.ones(len(groups), weight._array.dtype))
    else:
        totals = ScatterRows(picked(weight, kept), wrap(members), rows=len(groups), rank=1)
    indices = np.stack(np.divmod(groups, width), 1)
    if numbers.height is not None:
        return SparseTensor(wrap(indices), totals, [numbers.height, length])
    return SparseTensor(wrap(indices[:, 1:]), totals, [length])


def _attribute(length: IntLike | None, argument: str) -> int | None:
    """A length for the sparse result; -1 is the same as None."""
    if length is None or (found := integer(length, argument)) == -1:
        return None
    if found < -1:
        raise InvalidArgumentError(
            f"Value for attr '{argument}' of {found} must be at least minimum -1"
        )
    return found
