"""Functions applied to the flat values; rows that are collected one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import nest
from ...engine.convert import as_tensor
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import checked_callable
from ..arrays.creation import zeros
from .constructors import ragged_or_dense
from .elementwise import check_splits_dtypes, same_rows
from .joining import rows_below, with_depth
from .row_partition import RowPartition
from .tensor import RaggedTensor, assembled

if TYPE_CHECKING:
    from ...dtypes import DType
    from ...engine.shapes import TensorShape
    from .annotations import Function, RaggedOrDense


@public("ragged.map_flat_values")
def map_flat_values(op: Function, *args: RaggedOrDense, **kwargs: RaggedOrDense) -> RaggedOrDense:
    """A function of the flat values of ragged tensors, which must have the same rows.

    >>> import cinta as tf
    >>> tf.ragged.map_flat_values(tf.math.square, tf.ragged.constant([[1, 2], [3]]))
    <tf.RaggedTensor [[1, 4], [9]]>

    Args:
        op: A function of tensors, which must keep the first axis.
        args: Its arguments; ragged ones may stand in nests.
        kwargs: Others by name.

    Raises:
        InvalidArgumentError: If the arguments have other rows than each other.
        ValueError: If the result has not as many values.
    """
    checked_callable(op, "op")
    ragged = [x for x in nest.flatten([args, kwargs]) if isinstance(x, RaggedTensor)]
    if not ragged:
        return op(*args, **kwargs)
    check_splits_dtypes(ragged)
    first = ragged[0]
    for x in ragged[1:]:
        if not same_rows(first._nested_row_partitions, x._nested_row_partitions):
            raise InvalidArgumentError(
                "All ragged inputs must have the same nested_row_splits, got "
                f"{[r.ends.tolist() for r in first._nested_row_partitions]} and "
                f"{[r.ends.tolist() for r in x._nested_row_partitions]}."
            )

    def flat(x: RaggedOrDense) -> RaggedOrDense:
        return x.flat_values if isinstance(x, RaggedTensor) else x

    values = op(*nest.map_structure(flat, list(args)), **nest.map_structure(flat, kwargs))
    if not isinstance(values, (Tensor, RaggedTensor)):
        values = as_tensor(values)
    if not len(values.shape) or values.shape[0] != first.flat_values.shape[0]:
        raise ValueError(
            "tf.ragged.map_flat_values requires that the output of `op` have the same outer-"
            f"dimension size as flat_values of any ragged inputs. (output shape: {values.shape}; "
            f"expected outer dimension size: {first.flat_values.shape[0]})"
        )
    return first.with_flat_values(values)


class RaggedRows:
    """Collects the rows of a ragged tensor, as a ``TensorArray`` does those of a tensor."""

    def __init__(self, dtype: DType, ragged_rank: int, splits: DType, shape: TensorShape) -> None:
        self._dtype, self._depth, self._splits, self._shape = dtype, ragged_rank, splits, shape
        self._rows: list[Any] = []

    def write(self, index: int, value: RaggedOrDense) -> None:
        """Add the next row."""
        row = ragged_or_dense(value)
        if row.dtype is not self._dtype:
            raise ValueError(
                f"Expected rows of dtype {self._dtype!r}, got {row!r}. Say what the function "
                "returns by fn_output_signature."
            )
        if isinstance(row, RaggedTensor):
            row = row.with_row_splits_dtype(self._splits)
        self._rows.append(with_depth(row, self._depth, self._splits))

    def stack(self) -> RaggedOrDense:
        """All rows as one tensor."""
        if self._rows:
            return rows_below(self._rows, self._splits)
        inner = [n or 0 for n in self._shape.as_list()[self._depth + 1 :]] if self._shape else []
        flat = zeros([0, *inner], self._dtype)
        none = RowPartition._of_ends(np.zeros(1, np.int64), self._splits)
        return assembled(flat, [none] * (self._depth + bool(self._shape.rank != 0)))
