"""Rows of a table looked up by many numbers at once, and combined."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import text
from ..arrays.creation import ones, zeros_like
from ..arrays.selecting import where
from ..arrays.shaping import reshape
from ..elementwise.casting import cast
from ..elementwise.division import divide_no_nan
from ..elementwise.unary import sqrt
from ..reductions.segments import segment_mean, segment_sum
from ..sparse.rearranging import fill_empty_rows, retain
from ..sparse.rearranging import reshape as reshape_sparse
from .embedding import embedding_lookup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike
    from ...engine.tensor import Tensor


@public("nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params: NumericLike | Sequence[NumericLike],
    sp_ids: SparseTensor,
    sp_weights: SparseTensor | None,
    combiner: str | None = None,
    max_norm: float | None = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """For each row of numbers, the rows of a table that they name, combined.

    ``combiner`` is "mean" (as if none were given), "sum", or "sqrtn": the sum over the root of the
    sum of the squared weights. ``allow_fast_lookup`` changes no result.

    >>> import cinta as tf
    >>> ids = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [0, 1, 1], [2, 2])
    >>> tf.nn.embedding_lookup_sparse([[1.0], [3.0]], ids, None).numpy()
    array([[2.],
           [3.]], dtype=float32)

    Args:
        params: A table, or a list of the parts of one.
        sp_ids: A sparse or ragged tensor of numbers of rows.
        sp_weights: A sparse or ragged tensor of the same places with a weight for each; None for 1.
        combiner: "mean", "sum" or "sqrtn".
        max_norm: The length to which longer rows are shortened; None for any length.
        allow_fast_lookup: Accepted; changes no result.

    Raises:
        TypeError: If ``sp_ids`` is not a sparse tensor.
        ValueError: If the combiner is another.
    """
    how = _combiner(combiner)
    _check_sparse("sp_ids", sp_ids)
    if sp_weights is not None:
        _check_weights(sp_ids, sp_weights)
    groups = wrap(seen(sp_ids.indices)[:, 0])
    rows = embedding_lookup(params, sp_ids.values, max_norm)
    if sp_weights is None and how == "mean":
        return segment_mean(rows, groups)
    wide = cast(rows, "float32") if rows.dtype.size == 2 else rows  # each step would round halves
    return cast(_combined(wide, sp_weights, groups, how), rows.dtype)


def _combined(rows: Tensor, sp_weights: SparseTensor | None, groups: Tensor, how: str) -> Tensor:
    """Sums of rows by groups, divided as the combiner says."""
    if sp_weights is None:
        weights, weighed = ones([len(groups._array)], rows.dtype), rows
    else:
        weights = cast(sp_weights.values, rows.dtype)
        weighed = rows * _beside(weights, rows)
    total = segment_sum(weighed, groups)
    if how == "sum":
        return total
    if how == "mean":
        return divide_no_nan(total, _beside(segment_sum(weights, groups), total))
    return divide_no_nan(total, _beside(sqrt(segment_sum(weights * weights, groups)), total))


def _combiner(combiner: str | None) -> str:
    if combiner is not None:
        text(combiner, "combiner")
    if combiner not in (None, "mean", "sqrtn", "sum"):
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    return combiner or "mean"


def _check_sparse(name: str, value: NumericLike) -> None:
    if not isinstance(value, SparseTensor):
        raise TypeError(f"{name} must be SparseTensor, got {type(value)}")


def _check_weights(ids: SparseTensor, weights: NumericLike | Sequence[NumericLike]) -> None:
    if not isinstance(weights, SparseTensor):
        raise TypeError(
            f"sp_weights or sparse_weights must be None or a SparseTensor, got {type(weights)}"
        )
    if weights.values._array.shape != ids.values._array.shape:
        raise ValueError(
            f"Shapes {ids.values.shape} and {weights.values.shape} are incompatible: there must be "
            "a weight for each id."
        )


def _beside(factors: Tensor, rows: Tensor) -> Tensor:
    """One number for each row, in a shape that is broadcast along the rows."""
    return reshape(factors, (-1,) + (1,) * (rows.ndim - 1))


@public("nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights: NumericLike | Sequence[NumericLike],
    sparse_ids: SparseTensor,
    sparse_weights: SparseTensor | None = None,
    combiner: str | None = "mean",
    default_id: int | None = None,
    max_norm: float | None = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """The same as `embedding_lookup_sparse`, where rows may be empty and ids invalid.

    Negative ids do not count, nor do weights that are not positive unless rows are summed. A row
    without an id gets the row ``default_id`` of the table, or zeros.

    >>> import cinta as tf
    >>> ids = tf.SparseTensor([[1, 0], [1, 1]], [1, -1], [2, 2])
    >>> tf.nn.safe_embedding_lookup_sparse([[1.0], [3.0]], ids).numpy()
    array([[0.],
           [3.]], dtype=float32)

    Args:
        embedding_weights: A table, or a list of the parts of one.
        sparse_ids: A sparse tensor of numbers of rows.
        sparse_weights: A sparse tensor of the same places with a weight for each; None for 1.
        combiner: "mean", "sum" or "sqrtn".
        default_id: The row for those without an id; None for zeros.
        max_norm: The length to which longer rows are shortened; None for any length.
        allow_fast_lookup: Accepted; changes no result.

    Raises:
        ValueError: If there is no table, or the dtypes of weights do not agree.
    """
    how = _combiner(combiner)
    _check_sparse("sparse_ids", sparse_ids)
    *front, last = sparse_ids.lengths
    if len(front) < 1:
        raise InvalidArgumentError("sparse_ids must have at least 2 axes [Op:SparseReshape]")
    ids = reshape_sparse(sparse_ids, [prod(front), last])
    valid = seen(ids.values) >= 0
    if sparse_weights is not None:
        _check_weights(sparse_ids, sparse_weights)
        if how != "sum":
            valid = valid & (seen(sparse_weights.values) > 0)
    kept, empty = fill_empty_rows(retain(ids, valid), 0 if default_id is None else default_id)
    weights = None
    if sparse_weights is not None:
        weighed = SparseTensor(ids.indices, sparse_weights.values, ids.dense_shape)
        weights, _ = fill_empty_rows(retain(weighed, valid), 1)
    found = embedding_lookup_sparse(embedding_weights, kept, weights, how, max_norm)
    if default_id is None:
        found = where(_beside(empty, found), zeros_like(found), found)
    return reshape(found, [*front, *found._array.shape[1:]])
