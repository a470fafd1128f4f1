"""Segments of looked-up rows: which rows, and which group each of them goes to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...engine.dtype_kinds import NUMERIC, REAL_FLOATING
from ...engine.primitives import ScatterRows, TakeRows
from ...engine.shapes import written
from ...engine.tensor import look
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integer, tensor_of, whole
from ..reductions.segments import divided, sorted_segments

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike
    from ...engine.tensor import Array, Tensor


def outside(wanted: Array, count: int) -> Array:
    """The places of positions that are not rows of a table."""
    return np.flatnonzero((wanted < 0) | (wanted >= count))


def _looked_up(
    name: str,
    data: NumericLike,
    indices: NumericLike,
    segment_ids: NumericLike,
    num_segments: object,
    kinds: str,
) -> tuple[Tensor, Tensor, int]:
    """The rows, their groups, and how many groups."""
    x, places, segments = tensor_of(name, data, kinds), whole(indices), whole(segment_ids)
    wanted, shape = places._array, x._array.shape
    if not shape or wanted.ndim != 1:
        raise InvalidArgumentError(
            "Shape must be at least rank 1: data must have rows, and indices must be a vector, got "
            f"shapes {written(shape)} and {written(wanted.shape)} [Op:{name}]"
        )
    bad = look(places, partial(outside, count=shape[0]))
    if bad.size:
        raise InvalidArgumentError(
            f"Bad: indices[{bad[0]}] == {wanted[bad[0]]} out of range [0, {shape[0]}) [Op:{name}]"
        )
    rows: Tensor = TakeRows(x, places, rank=len(shape))
    rows, ids, count = sorted_segments(name, rows, segments, kinds)
    if num_segments is None:
        return rows, ids, count
    given = integer(num_segments, "num_segments")
    if count > given:
        raise InvalidArgumentError(
            f"segment ids must be < num_segments, got {count - 1} and {given} [Op:{name}]"
        )
    return rows, ids, given


@public("sparse.segment_sum")
def segment_sum(
    data: NumericLike,
    indices: NumericLike,
    segment_ids: NumericLike,
    num_segments: NumericLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Sums of the rows at these indices by group; ``sparse_gradient`` has no effect.

    >>> import cinta as tf
    >>> tf.sparse.segment_sum(tf.constant([1.0, 2.0, 3.0]), [0, 2, 1], [0, 0, 1]).numpy()
    array([4., 2.], dtype=float32)

    Args:
        data: A tensor, the rows of which lie along the first axis.
        indices: The numbers of rows.
        segment_ids: The group of each of these, sorted.
        num_segments: How many groups there are; None for as many as are named.
        sparse_gradient: Accepted; changes no result.
    """
    flag(sparse_gradient, "sparse_gradient")
    x, ids, rows = _looked_up("SparseSegmentSum", data, indices, segment_ids, num_segments, NUMERIC)
    return ScatterRows(x, ids, rows=rows, rank=x._array.ndim)


@public("sparse.segment_mean")
def segment_mean(
    data: NumericLike,
    indices: NumericLike,
    segment_ids: NumericLike,
    num_segments: NumericLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Means of the rows at these indices by group; ``sparse_gradient`` has no effect.

    >>> import cinta as tf
    >>> rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    >>> tf.sparse.segment_mean(rows, [0, 1, 2], [0, 0, 1]).numpy()
    array([[2., 3.],
           [5., 6.]], dtype=float32)

    Args:
        data: A tensor, the rows of which lie along the first axis.
        indices: The numbers of rows.
        segment_ids: The group of each of these, sorted.
        num_segments: How many groups there are; None for as many as are named.
        sparse_gradient: Accepted; changes no result.
    """
    flag(sparse_gradient, "sparse_gradient")
    return divided(
        *_looked_up("SparseSegmentMean", data, indices, segment_ids, num_segments, REAL_FLOATING)
    )


@public("sparse.segment_sqrt_n")
def segment_sqrt_n(
    data: NumericLike,
    indices: NumericLike,
    segment_ids: NumericLike,
    num_segments: NumericLike | None = None,
    name: str | None = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Sums of the rows at these indices by group, divided by the square root of their number.

    >>> import cinta as tf
    >>> rows = [[1.0], [3.0], [5.0], [7.0]]
    >>> tf.sparse.segment_sqrt_n(rows, [0, 1, 2, 3], [0, 0, 0, 0]).numpy()
    array([[8.]], dtype=float32)

    Args:
        data: A tensor, the rows of which lie along the first axis.
        indices: The numbers of rows.
        segment_ids: The group of each of these, sorted.
        num_segments: How many groups there are; None for as many as are named.
        sparse_gradient: Accepted; changes no result.
    """
    flag(sparse_gradient, "sparse_gradient")
    return divided(
        *_looked_up("SparseSegmentSqrtN", data, indices, segment_ids, num_segments, REAL_FLOATING),
        root=True,
    )
