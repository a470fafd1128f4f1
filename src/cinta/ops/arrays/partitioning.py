"""Rows dealt out into parts by number, and parts stitched together again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape, TakeRows
from ...engine.shapes import written
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import integer, listed, memory_for, whole
from ..elementwise.comparison import equal
from .indexing import boolean_mask
from .joining import alike, concat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, IntLike, TensorLike
    from ...engine.tensor import Array, Tensor


@op("LastPlaces")
def LastPlaces(xp: ArrayModule, indices: Array) -> Array:
    """For each number up to the largest where it is listed last; -1 if it is not listed."""
    if indices.size and indices.min() < 0:
        raise InvalidArgumentError(f"indices must not be negative, got {indices.tolist()}")
    last = np.full(int(indices.max()) + 1 if indices.size else 0, -1)
    last[indices] = np.arange(indices.size)
    return last


LastPlaces.no_grad()


_TENSOR = 256
"""About how many bytes an empty tensor takes."""


@public("dynamic_partition")
def dynamic_partition(
    data: TensorLike, partitions: TensorLike, num_partitions: IntLike, name: str | None = None
) -> list[Tensor]:
    """The rows of a tensor divided into parts; ``partitions`` says to which part each row goes.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]

    Args:
        data: A tensor.
        partitions: The number of a part for each row; its shape is how that of ``data`` begins.
        num_partitions: How many parts to make.

    Raises:
        InvalidArgumentError: If a number of a part is out of range, or the shapes do not fit.
    """
    x, part = as_tensor(data), whole(partitions)
    count = integer(num_partitions, "num_partitions")
    shape = part._array.shape
    if x._array.shape[: len(shape)] != shape:
        raise InvalidArgumentError(
            f"data.shape must start with partitions.shape, got data.shape = "
            f"{written(x._array.shape)}, partitions.shape = {written(shape)} [Op:DynamicPartition]"
        )
    bad = np.argwhere((seen(part) < 0) | (seen(part) >= count))
    if len(bad):
        raise InvalidArgumentError(
            f"partitions{bad[0].tolist()} = {seen(part)[tuple(bad[0])]} is not in [0, {count}) "
            "[Op:DynamicPartition]"
        )
    if not shape:
        x, part = on_one(Reshape, x, shape=(1, *x._array.shape)), on_one(Reshape, part, shape=(1,))
    with memory_for("DynamicPartition", (count,), _TENSOR):
        return [boolean_mask(x, equal(part, k)) for k in range(count)]


@public("dynamic_stitch")
def dynamic_stitch(indices: Sequence[Any], data: Sequence[Any], name: str | None = None) -> Tensor:
    """One tensor of the rows of several: ``merged[indices[m][i]] = data[m][i]``.

    Of a row listed twice the last stays, and only that one has a gradient. Rows that are not
    listed are zeros.

    >>> import cinta as tf
    >>> tf.dynamic_stitch([[2, 0], [1]], [[30, 10], [20]]).numpy()
    array([10, 20, 30], dtype=int32)

    Args:
        indices: A list of tensors that say where the rows go.
        data: A list of as many tensors of rows.

    Raises:
        InvalidArgumentError: If a shape of ``data`` does not begin as that of its indices, or if an
            index is negative.
    """
    places = [whole(i) for i in listed(indices, "indices")]
    parts = alike("DynamicStitch", listed(data, "data"))
    if not places or len(places) != len(parts):
        raise ValueError(
            f"List argument 'data' to 'dynamic_stitch' with length {len(parts)} must match length "
            f"{len(places)} of argument 'indices', and have at least one item."
        )
    rest = parts[0]._array.shape[places[0]._array.ndim :]
    rows = []
    for m, (place, part) in enumerate(zip(places, parts, strict=True)):
        if part._array.shape != (*place._array.shape, *rest):
            raise InvalidArgumentError(
                f"data[{m}].shape = {written(part._array.shape)} must be indices[{m}].shape = "
                f"{written(place._array.shape)} and then {written(rest)} [Op:DynamicStitch]"
            )
        rows.append(on_one(Reshape, part, shape=(place._array.size, *rest)))
    flat = concat([on_one(Reshape, place, shape=(-1,)) for place in places], 0)
    return TakeRows(concat(rows, 0), LastPlaces(flat), rank=1 + len(rest))
