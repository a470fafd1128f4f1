"""Isotonic regression: the nearest sequence that only falls, or only grows."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.dtype_kinds import REAL
from ...engine.op import op
from ...engine.primitives import ScatterRows, TakeRows
from ...engine.tensor import wrap
from ...public import public
from ..arguments import axis_from_right, flag, tensor_of
from ..arrays.shaping import reshape, transpose
from ..elementwise.casting import cast
from ..reductions.segment_ops import SegmentCount

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@op("IsotonicRegression", rowwise=True)
def IsotonicRegression(xp: ArrayModule, inputs: Array) -> Array:
    """The numbers of the runs of each row that become even; a row lies along the last axis."""
    *front, length = inputs.shape
    rows = np.asarray(inputs, np.float64).reshape(prod(front), length)
    runs = np.array([_pooled(row) for row in rows.tolist()], np.int32)
    return runs.reshape(inputs.shape)


IsotonicRegression.no_grad()


def _pooled(row: list[float]) -> list[int]:
    """Neighbors that do not fall are pooled, until the means of all pools do.

    The algorithm of pooled adjacent violators (Ayer and others, 1955), in one pass with a stack.
    """
    pools: list[tuple[float, int]] = []
    for x in row:
        total, count = x, 1
        while pools and pools[-1][0] * count < total * pools[-1][1]:
            before, many = pools.pop()
            total, count = total + before, count + many
        pools.append((total, count))
    return [number for number, (_, count) in enumerate(pools) for _ in range(count)]


@public("nn.isotonic_regression")
def isotonic_regression(
    inputs: NumericLike, decreasing: bool = True, axis: int = -1
) -> tuple[Tensor, Tensor]:
    """The sequence nearest to the given one of all that only fall, and the numbers of its steps.

    With ``decreasing=False`` it only grows. Gradients flow: each step is a mean.

    >>> import cinta as tf
    >>> nearest, steps = tf.nn.isotonic_regression([3.0, 1.0, 2.0])
    >>> nearest.numpy(), steps.numpy()
    (array([3. , 1.5, 1.5], dtype=float32), array([0, 1, 1], dtype=int32))

    Args:
        inputs: A tensor of numbers.
        decreasing: Whether the sequences fall.
        axis: The axis along which the sequences lie.
    """
    x = tensor_of("IsotonicRegression", inputs, REAL)
    if not x.dtype.is_floating:
        x = cast(x, dtypes.float32 if x.dtype.size < 4 else dtypes.float64)
    if not x._array.ndim:
        return x, wrap(np.int32(0))
    along = axis_from_right("IsotonicRegression", axis, x._array.ndim)
    swap = list(range(x._array.ndim))
    swap[along], swap[-1] = swap[-1], swap[along]
    moved = transpose(x, swap)
    shape, size = moved._array.shape, moved._array.size
    runs = IsotonicRegression(moved if flag(decreasing, "decreasing") else -moved)
    starts = np.arange(prod(shape[:-1])).reshape(*shape[:-1], 1) * shape[-1]
    ids = reshape(runs + starts, [-1])
    sums = ScatterRows(reshape(moved, [-1]), ids, rows=size, rank=1)
    means = sums / SegmentCount(ids, rows=size, rank=1, dtype=x._array.dtype)
    even = reshape(TakeRows(means, ids, rank=1), shape)
    return transpose(even, swap), transpose(runs, swap)
