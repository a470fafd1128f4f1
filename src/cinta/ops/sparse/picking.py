"""Helpers of the functions of sparse tensors: taking some of the values, and grouping them."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ...engine.shapes import written
from ...engine.sparse_tensor import SparseTensor, from_parts
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ..arrays.gathering import Gather

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor


def sparse(value: object) -> SparseTensor:
    """The value, which must be a sparse tensor, or the parts of one."""
    value = from_parts(value)
    if not isinstance(value, SparseTensor):
        raise TypeError(
            f"Input must be a SparseTensor, got {type(value).__name__}: use tf.sparse.from_dense."
        )
    return value


def picked(values: Tensor, order: Array) -> Tensor:
    """The values with these numbers."""
    return Gather(values, wrap(order), axis=-1)


def chosen(x: SparseTensor, order: Array, indices: Array, shape: NumericLike) -> SparseTensor:
    """Some of the values in other places."""
    return SparseTensor(wrap(indices), picked(x.values, order), shape)


def row_major(indices: Array) -> Array:
    """The order that brings coordinates into that of a dense tensor's elements."""
    if not indices.shape[1]:
        return np.arange(len(indices))
    return np.lexsort(indices.T[::-1])


def flat_places(indices: Array, lengths: Sequence[int]) -> Array:
    """Where coordinates point in the flat order of a tensor's elements."""
    steps = [prod(lengths[k + 1 :]) for k in range(len(lengths))]
    return indices @ np.array(steps, np.int64)


def check_same_shape(op: str, a: Shape, b: Shape) -> None:
    """Refuse operands of different shapes: sparse ones are not broadcast."""
    if len(a) != len(b):
        raise InvalidArgumentError(
            f"Operands do not have the same ranks: got {written(a)} and {written(b)} [Op:{op}]"
        )
    if a != b:
        raise InvalidArgumentError(
            f"Operands' shapes do not match: got {written(a)} and {written(b)} [Op:{op}]"
        )
