"""Ops that look for equal elements, which NumPy does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cinta as tf

if TYPE_CHECKING:
    from ..engine.tensor import Array, Tensor


def broadcast_gradient_axes(s0: Tensor, s1: Tensor) -> list[Tensor]:
    """The axes over which the gradients of two broadcast tensors are summed."""

    def found(first: Array, second: Array) -> list[Array]:
        rank = max(len(first), len(second))
        shapes = [np.concatenate([np.ones(rank - len(s), s.dtype), s]) for s in (first, second)]
        if any(a != b and 1 not in (a, b) for a, b in zip(*shapes, strict=True)):
            raise tf.errors.InvalidArgumentError(
                f"Incompatible shapes: {first.tolist()} vs. {second.tolist()} "
                "[Op:BroadcastGradientArgs]"
            )
        if first.tolist() == second.tolist():
            return [np.zeros(0, s.dtype) for s in shapes]
        return [np.flatnonzero(s == 1).astype(s.dtype) for s in shapes]

    return list(tf.numpy_function(found, [s0, s1], [s0.dtype, s1.dtype]))


def listed_difference(x: Tensor, y: Tensor, dtype: tf.DType) -> list[Tensor]:
    """The elements of x that are not in y, and where they are."""
    kept = tf.numpy_function(lambda a, b: ~np.isin(a, b), [x, y], tf.bool)
    return [tf.boolean_mask(x, kept), tf.cast(tf.reshape(tf.where(kept), [-1]), dtype)]


def unique_along(x: Tensor, axis: Tensor, dtype: tf.DType) -> list[Tensor]:
    """The different slices along an axis in their order, which each is, how often it is there."""
    along = axis.numpy().reshape(-1).tolist() or None
    if along is None and len(x.shape) != 1:
        raise tf.errors.InvalidArgumentError(
            f"unique expects a 1D vector if no axis is given, not a tensor of shape {x.shape} "
            "[Op:UniqueV2]"
        )

    def found(array: Array) -> list[Any]:
        where = along[0] if along else 0
        if array.dtype.kind == "O":  # NumPy compares slices of numbers alone
            comparable = np.unique(array, return_inverse=True)[1].reshape(array.shape)
        else:
            comparable = array
        _, first, inverse, counts = np.unique(
            comparable,
            return_index=True,
            return_inverse=True,
            return_counts=True,
            axis=where,
            equal_nan=False,
        )
        order = np.argsort(first)
        rank = np.argsort(order).astype(dtype.dtype)
        values = np.take(array, first[order], where)
        return [values, rank[inverse.reshape(-1)], counts[order].astype(dtype.dtype)]

    return list(tf.numpy_function(found, [x], [x.dtype, dtype, dtype]))


def places_of(rows: Tensor, wanted: Tensor) -> Tensor:
    """Where each of the wanted rows stands among these, -1 for those that do not."""

    def found(rows: Array, wanted: Array) -> Array:
        known = {tuple(row): place for place, row in enumerate(rows.tolist())}
        places = [known.get(tuple(row), -1) for row in wanted.tolist()]
        return np.array(places, np.int64)

    places: Tensor = tf.numpy_function(found, [rows, wanted], tf.int64)
    return places


def buckets(x: Tensor, boundaries: list[float]) -> Tensor:
    """How many of the boundaries each element reaches."""
    steps = tf.cast(tf.constant(boundaries, "float32"), "float64")
    found = tf.searchsorted(steps, tf.reshape(tf.cast(x, "float64"), [-1]), side="right")
    return tf.reshape(found, tf.shape(x))
