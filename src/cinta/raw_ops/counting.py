"""Ops that count how often each number is there: in tensors, sparse ones and ragged ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cinta as tf

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import IntLike
    from ..engine.tensor import Array, Tensor


def _refused(op: str, why: str) -> tf.errors.InvalidArgumentError:
    return tf.errors.InvalidArgumentError(f"{why} [Op:{op}]")


def _check_weights(op: str, values: Tensor, weights: Tensor) -> None:
    if len(weights) and weights.shape != values.shape:
        raise _refused(
            op,
            f"Weights and values must have the same shape, or weights must be empty: got "
            f"{weights.shape} and {values.shape}",
        )


def _check_size(op: str, size: Tensor) -> None:
    if size.shape.rank:
        raise _refused(op, f"Shape must be rank 0 but is rank {size.shape.rank}: size is a number")


def _by_row(
    op: str,
    rows: Tensor | None,
    count: IntLike,
    values: Tensor,
    size: Tensor,
    weights: Tensor,
    *how: object,
) -> Tensor:
    """The counts of the numbers below ``size`` in each row, or in all if there are no rows."""
    binary = how[0]
    _check_size(op, size)
    if int(size) < 0 or tf.reduce_any(values < 0):
        raise _refused(op, "size and values must be non-negative")
    _check_weights(op, values, weights)
    ones = tf.ones(tf.shape(values), weights.dtype)
    weights = weights if len(weights) and not binary else ones
    cells = int(size) * (1 if rows is None else int(count))
    where = values if rows is None else tf.cast(rows, values.dtype) * size + values
    where = tf.where(values < size, where, -1)  # which counts nowhere
    combine = tf.math.unsorted_segment_max if binary else tf.math.unsorted_segment_sum
    counts = combine(weights, where, cells)
    counts = tf.maximum(counts, 0) if binary else counts
    return counts if rows is None else tf.reshape(counts, [int(count), int(size)])


def _dense(input: Tensor, size: Tensor, weights: Tensor, binary: bool) -> Tensor:
    if len(input.shape) not in (1, 2):
        raise _refused("DenseBincount", f"input must be at most rank 2, got shape {input.shape}")
    flat, weights = tf.reshape(input, [-1]), tf.reshape(weights, [-1])
    if len(input.shape) == 1:
        return _by_row("DenseBincount", None, 1, flat, size, weights, binary)
    rows = tf.repeat(tf.range(input.shape[0]), input.shape[1])
    return _by_row("DenseBincount", rows, input.shape[0], flat, size, weights, binary)


def _sparse(
    indices: Tensor, values: Tensor, shape: Tensor, size: Tensor, weights: Tensor, binary: bool
) -> Tensor:
    op = "SparseBincount"
    _check_size(op, size)
    rows = _row_of_indices(op, indices, values, shape)
    return _by_row(op, rows, 1 if rows is None else shape[0], values, size, weights, binary)


def _row_of_indices(op: str, indices: Tensor, values: Tensor, shape: Tensor) -> Tensor | None:
    """The number of the row of each value of a sparse matrix; None in a vector."""
    if indices.shape.rank != 2:
        raise _refused(op, f"Input indices must be a 2-dimensional tensor, got {indices.shape}")
    if indices.shape[0] != values.shape[0]:
        raise _refused(
            op,
            "Number of values must match first dimension of indices: Number of elements in indices "
            f"({indices.shape[0]}) and values ({values.shape[0]}) do not match",
        )
    if tf.reduce_any((indices < 0) | (indices >= shape)):
        raise _refused(op, f"Indices are out of bounds of the shape {shape.numpy().tolist()}")
    return None if shape.shape[0] == 1 else indices[:, 0]


def _row_of_each(op: str, splits: Tensor, count: int) -> Tensor:
    """The number of the row of each of so many values."""
    ends = splits.numpy().tolist()
    if len(ends) < 2:
        raise _refused(
            op,
            "Splits must be non-empty: Must provide at least 2 elements for the splits argument, "
            f"got {ends}",
        )
    if ends[0] != 0:
        raise _refused(op, f"Splits must start with 0, not with {ends[0]}")
    if ends[-1] != count:
        raise _refused(op, f"Splits must end with the number of values, {count} and not {ends[-1]}")
    return tf.repeat(tf.range(len(splits) - 1), splits[1:] - splits[:-1])


def _ragged(splits: Tensor, values: Tensor, size: Tensor, weights: Tensor, binary: bool) -> Tensor:
    op, weights = "RaggedBincount", tf.reshape(weights, [-1])
    rows = _row_of_each(op, splits, len(values))
    return _by_row(op, rows, len(splits) - 1, values, size, weights, binary)


def _counts(
    rows: Tensor | None, count: IntLike, values: Tensor, weights: Tensor, *how: int
) -> list[Tensor]:
    """The counts that are there, as the parts of a sparse tensor; weights may be empty."""
    binary, minlength, maxlength = how

    def found(rows: Array, values: Array, weights: Array) -> list[Any]:
        keep = values < maxlength if maxlength >= 0 else np.ones(len(values), bool)
        pairs = np.stack([rows, values], axis=-1)[keep].astype(np.int64)
        weights = (weights if len(weights) else np.ones(len(values), weights.dtype))[keep]
        cells, inverse = np.unique(pairs, axis=0, return_inverse=True)
        counts = np.zeros(len(cells), weights.dtype)
        np.add.at(counts, inverse.reshape(-1), weights)
        counts = np.ones_like(counts) if binary else counts
        width = max([minlength, *cells[:, 1] + 1]) if maxlength < 0 else maxlength
        shape = np.array([int(count), width])
        return [cells, counts, shape] if as_rows else [cells[:, 1:], counts, shape[1:]]

    as_rows = rows is not None
    rows = rows if rows is not None else tf.zeros_like(values)
    kinds = [tf.int64, weights.dtype, tf.int64]
    return list(tf.numpy_function(found, [rows, values, weights], kinds))


def _dense_counts(values: Tensor, weights: Tensor, binary: bool, *bounds: int) -> list[Tensor]:
    low, high = bounds
    flat, weights = tf.reshape(values, [-1]), tf.reshape(weights, [-1])
    rows = None
    if len(values.shape) == 2:
        rows = tf.repeat(tf.range(values.shape[0]), values.shape[1])
    return _counts(rows, values.shape[0], flat, weights, binary, low, high)


def _sparse_counts(
    indices: Tensor, values: Tensor, shape: Tensor, weights: Tensor, binary: bool, *bounds: int
) -> list[Tensor]:
    op = "SparseCountSparseOutput"
    _check_weights(op, values, weights)
    rows = _row_of_indices(op, indices, values, shape)
    return _counts(rows, shape[0], values, weights, binary, *bounds)


def _ragged_counts(
    splits: Tensor, values: Tensor, weights: Tensor, binary: bool, *bounds: int
) -> list[Tensor]:
    op = "RaggedCountSparseOutput"
    _check_weights(op, values, weights)
    rows = _row_of_each(op, splits, len(values))
    return _counts(rows, len(splits) - 1, values, weights, binary, *bounds)


COUNTS: dict[str, Callable[..., Any]] = {
    "DenseBincount": _dense,
    "DenseCountSparseOutput": _dense_counts,
    "RaggedBincount": _ragged,
    "RaggedCountSparseOutput": _ragged_counts,
    "SparseBincount": _sparse,
    "SparseCountSparseOutput": _sparse_counts,
}
