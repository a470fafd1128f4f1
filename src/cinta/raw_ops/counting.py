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
    if int(size) < 0 or tf.reduce_any(values < 0):
        raise _refused(op, "size and values must be 0 or larger")
    if len(weights) and weights.shape != values.shape:
        raise _refused(op, f"weights must be of the values' shape {values.shape} or empty")
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
        raise _refused("DenseBincount", f"input must be a vector or matrix, got {input.shape}")
    flat, weights = tf.reshape(input, [-1]), tf.reshape(weights, [-1])
    if len(input.shape) == 1:
        return _by_row("DenseBincount", None, 1, flat, size, weights, binary)
    rows = tf.repeat(tf.range(input.shape[0]), input.shape[1])
    return _by_row("DenseBincount", rows, input.shape[0], flat, size, weights, binary)


def _sparse(
    indices: Tensor, values: Tensor, shape: Tensor, size: Tensor, weights: Tensor, binary: bool
) -> Tensor:
    if shape.shape[0] == 1:
        return _by_row("SparseBincount", None, 1, values, size, weights, binary)
    return _by_row("SparseBincount", indices[:, 0], shape[0], values, size, weights, binary)


def _row_of_each(splits: Tensor) -> Tensor:
    return tf.repeat(tf.range(len(splits) - 1), splits[1:] - splits[:-1])


def _ragged(splits: Tensor, values: Tensor, size: Tensor, weights: Tensor, binary: bool) -> Tensor:
    rows = _row_of_each(splits)
    return _by_row("RaggedBincount", rows, len(splits) - 1, values, size, weights, binary)


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
    rows = indices[:, 0] if shape.shape[0] > 1 else None
    return _counts(rows, shape[0], values, weights, binary, *bounds)


def _ragged_counts(
    splits: Tensor, values: Tensor, weights: Tensor, binary: bool, *bounds: int
) -> list[Tensor]:
    return _counts(_row_of_each(splits), len(splits) - 1, values, weights, binary, *bounds)


COUNTS: dict[str, Callable[..., Any]] = {
    "DenseBincount": _dense,
    "DenseCountSparseOutput": _dense_counts,
    "RaggedBincount": _ragged,
    "RaggedCountSparseOutput": _ragged_counts,
    "SparseBincount": _sparse,
    "SparseCountSparseOutput": _sparse_counts,
}
