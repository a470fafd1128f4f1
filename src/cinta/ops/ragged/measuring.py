"""How large ragged tensors are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.tensor import Tensor
from ..arguments import integer
from ..arrays.gathering import gather
from .tensor import RaggedTensor, constant

if TYPE_CHECKING:
    from ...engine.annotations import AxisLike, DTypeLike
    from .annotations import RaggedOrDense


def positive_axis(axis: RaggedOrDense, rank: int, name: str = "axis") -> int:
    """The axis counted from the left."""
    number = integer(axis, name)
    if not -rank <= number < rank:
        raise ValueError(f"{name}={number} out of bounds: expected {-rank}<={name}<{rank}")
    return number % rank


def row_lengths(x: RaggedTensor, axis: int) -> RaggedOrDense:
    """How long the rows along an axis are, in a ragged tensor of all outer axes."""
    number = positive_axis(axis, len(x.shape))
    if number == 0:
        return x.nrows()
    if number == 1:
        return x._row_partition.row_lengths()
    if isinstance(x.values, RaggedTensor):
        return x.with_values(row_lengths(x.values, number - 1))
    shape = x.values.shape.as_list()
    same = np.full(shape[: number - 1], shape[number - 1], x.row_splits._array.dtype)
    return x.with_values(constant(same))


def bounding_shape(x: RaggedTensor, axis: AxisLike | None, out_type: DTypeLike | None) -> Tensor:
    """The smallest shape of a dense tensor that holds all rows."""
    from .densifying import bounds_of

    kind = x.row_splits.dtype if out_type is None else dtypes.as_dtype(out_type)
    lengths = constant(np.array(bounds_of(x), kind.dtype))
    return lengths if axis is None else gather(lengths, axis)  # type: ignore[arg-type]


def rank(input: RaggedTensor, name: str | None = None) -> Tensor:
    """How many axes there are, ragged ones included."""
    return constant(np.array(len(input.shape), np.int32))


def size(input: RaggedTensor, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """How many elements there are."""
    kind = dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)
    return constant(np.array(input.flat_values._array.size, kind.dtype))
