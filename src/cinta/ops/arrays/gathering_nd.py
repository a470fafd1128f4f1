"""Gathering by index vectors, and what becomes of vectors that point out of the tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.primitives import Reshape
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import text, whole, whole_number
from ..elementwise.casting import cast
from ..elementwise.comparison import greater_equal, less, logical_and
from ..reductions.reduction import reduce_all
from .gathering import Gather, depth_of_vectors, gather, rows_at
from .padding import pad
from .selecting import where

if TYPE_CHECKING:
    from ...engine.annotations import TensorLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Tensor


@public("gather_nd")
def gather_nd(
    params: TensorLike,
    indices: TensorLike,
    batch_dims: int = 0,
    name: str | None = None,
    bad_indices_policy: str = "",
) -> Tensor:
    """The elements, or slices, at these index vectors, which lie along the last axis.

    >>> import cinta as tf
    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)

    Args:
        params: The tensor to take elements or slices from.
        indices: Integers; a vector along the last axis leads to an element, a shorter one to a
            slice.
        batch_dims: How many axes both tensors have in common.
        bad_indices_policy: "", "DEFAULT" or "ERROR": indices out of range are refused. "IGNORE":
            they give zeros.

    Raises:
        InvalidArgumentError: If an index is out of range, or the policy is another.
    """
    ignores = ignores_bad_indices(bad_indices_policy)
    x, vectors = as_tensor(params), whole(indices)
    shape = x._array.shape
    batch = whole_number(batch_dims, "batch_dims")
    if batch >= max(vectors.ndim, 1):
        raise ValueError(
            f"Argument `batch_dims` = {batch} must be less than rank(`indices`) = {vectors.ndim}."
        )
    if ignores:
        rows, places = rows_or_behind("GatherNd", vectors, shape, batch)
        return Gather(row_behind(on_one(Reshape, x, shape=rows)), places, axis=-len(rows))
    if vectors._array.shape[1:] == (1,) and not batch:
        return gather(x, on_one(Reshape, vectors, shape=(-1,)))
    rows, places = rows_at("GatherNd", vectors, shape, batch)
    return Gather(on_one(Reshape, x, shape=rows), places, axis=-len(rows))


def ignores_bad_indices(policy: str) -> bool:
    """Whether the policy passes over indices out of bounds; one that there is not is refused."""
    wanted = text(policy, "bad_indices_policy")
    if wanted not in ("", "DEFAULT", "ERROR", "IGNORE"):
        raise InvalidArgumentError(
            f"bad_indices_policy must be '', 'DEFAULT', 'ERROR' or 'IGNORE', got {policy!r}."
        )
    return wanted == "IGNORE"


def rows_or_behind(op: str, vectors: Tensor, shape: Shape, batch: int = 0) -> tuple[Shape, Tensor]:
    """The same, where a vector that points out of the tensor leads behind its last row."""
    depth = depth_of_vectors(op, vectors._array.shape, shape, batch)
    lengths = wrap(np.array(shape[batch:depth], np.int64))
    wide = cast(vectors, "int64")
    inside = reduce_all(logical_and(greater_equal(wide, 0), less(wide, lengths)), -1)
    if 0 in shape[:depth]:
        return (0, *shape[depth:]), wrap(np.zeros(inside._array.shape, np.int64))
    rows, places = rows_at(op, where(inside[..., None], wide, 0), shape, batch)
    return rows, where(inside, places, rows[0])


def row_behind(x: Tensor) -> Tensor:
    """The rows of a tensor, and one of zeros behind them."""
    return pad(x, [(0, 1)] + [(0, 0)] * (x._array.ndim - 1))
