"""Sparse tensors taken apart along their first axis, and put together along a new one."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ..arrays.creation import zeros
from ..arrays.joining import concat
from .picking import chosen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...dtypes import DType
    from ...engine.shapes import Shape, TensorShape
    from ...engine.tensor import Array, Tensor


def rows_of(x: SparseTensor) -> Iterator[SparseTensor]:
    """The slices along the first axis, which must not be the only one."""
    if len(x.lengths) < 2:
        raise InvalidArgumentError(
            f"Rank of input SparseTensor should be > 1, but saw rank: {len(x.lengths)}. The rows "
            "of a sparse vector are numbers: use tf.sparse.to_dense."
        )
    indices = seen(x.indices)
    order = np.argsort(indices[:, 0], kind="stable")
    ends = np.searchsorted(indices[order, 0], np.arange(x.lengths[0] + 1))
    for first, stop in pairwise(ends):
        places = order[first:stop]
        yield chosen(x, places, indices[places, 1:], x.lengths[1:])


def stacked(parts: Sequence[SparseTensor]) -> SparseTensor:
    """Sparse tensors of one rank and dtype as rows; the longest of them say how long axes are."""
    check_alike(parts)
    indices, lengths = stacked_places(
        [seen(part.indices) for part in parts], [part.lengths for part in parts]
    )
    return SparseTensor(wrap(indices), concat([part.values for part in parts], 0), lengths)


def check_alike(parts: Sequence[Any]) -> None:
    """Refuse to stack what differs in rank or dtype."""
    first = parts[0]
    for part in parts:
        if part.dtype != first.dtype or len(part.shape) != len(first.shape):
            raise InvalidArgumentError(
                f"Inconsistent sparse tensors: {first.dtype.name} of shape {first.shape} and "
                f"{part.dtype.name} of shape {part.shape}. Rows of one sparse tensor need one "
                "dtype and as many axes."
            )


def stacked_places(indices: Sequence[Array], shapes: Sequence[Shape]) -> tuple[Array, list[int]]:
    """The places of stacked values, and the lengths of the whole."""
    rows = np.repeat(np.arange(len(indices)), [len(each) for each in indices])
    lengths = np.max(shapes, axis=0, initial=0)
    return np.column_stack([rows, np.concatenate(indices)]), [len(indices), *lengths.tolist()]


class SparseRows:
    """Collects the rows of a sparse tensor, as a ``TensorArray`` does those of a tensor."""

    def __init__(self, dtype: DType, shape: TensorShape) -> None:
        self._dtype, self._shape = dtype, shape
        self._rows: list[SparseTensor] = []

    def write(self, index: int, value: SparseTensor | Tensor) -> None:
        """Add the next row."""
        if not isinstance(value, SparseTensor) or value.dtype != self._dtype:
            raise ValueError(
                f"Expected a SparseTensor of dtype {self._dtype.name}, got {value!r}. Say what the "
                "function returns by fn_output_signature."
            )
        if not self._shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Incompatible shape for value ({value.shape}), expected ({self._shape})"
            )
        self._rows.append(value)

    def stack(self) -> SparseTensor:
        """The sparse tensor of all rows."""
        if self._rows:
            return stacked(self._rows)
        lengths = [0, *[n or 0 for n in self._shape.as_list() or ()]]
        return SparseTensor(
            np.zeros([0, len(lengths)], np.int64), as_tensor(zeros([0], self._dtype)), lengths
        )
