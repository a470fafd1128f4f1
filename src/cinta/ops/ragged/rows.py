"""The rows of a ragged tensor: where they begin and end, and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.shapes import TensorShape
from ..elementwise.casting import cast

if TYPE_CHECKING:
    from ... import dtypes
    from ...engine.annotations import DTypeLike
    from ...engine.tensor import Tensor
    from .annotations import RaggedOrDense
    from .row_partition import RowPartition


class RaggedProperties:
    """The properties of a ragged tensor."""

    __slots__ = ()

    _values: RaggedOrDense
    _row_partition: RowPartition

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        dtype: dtypes.DType = self._values.dtype
        return dtype

    @property
    def shape(self) -> TensorShape:
        """The length of every axis, None where it is ragged."""
        rows = self._row_partition
        outer = TensorShape([rows.static_nrows, rows.static_uniform_row_length])
        return outer.concatenate(self._values.shape[1:])

    def get_shape(self) -> TensorShape:
        """The length of every axis, None where it is ragged: the same as ``shape``."""
        return self.shape

    @property
    def ragged_rank(self) -> int:
        """How many axes are divided into rows, one inside of the other."""
        return len(self._nested_row_partitions)

    @property
    def values(self) -> RaggedOrDense:
        """The rows joined into one: a tensor, or a ragged tensor if they are rows of rows."""
        return self._values

    @property
    def flat_values(self) -> Tensor:
        """The values of all levels, joined into one tensor."""
        values: RaggedOrDense = self._values
        while isinstance(values, RaggedProperties):
            values = values._values
        return values  # type: ignore[no-any-return]

    @property
    def _nested_row_partitions(self) -> tuple[RowPartition, ...]:
        found, values = [self._row_partition], self._values
        while isinstance(values, RaggedProperties):
            found.append(values._row_partition)
            values = values._values
        return tuple(found)

    @property
    def row_splits(self) -> Tensor:
        """Where rows begin and end in ``values``: row i stands from number i to number i + 1."""
        return self._row_partition.row_splits()

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """Where the rows of each level begin and end, the outermost first."""
        return tuple([rows.row_splits() for rows in self._nested_row_partitions])

    @property
    def uniform_row_length(self) -> Tensor | None:
        """The length of every row, None if they may differ."""
        return self._row_partition.uniform_row_length()

    def value_rowids(self, name: str | None = None) -> Tensor:
        """The number of the row of each value."""
        return self._row_partition.value_rowids()

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """The numbers of the rows for each level, the outermost first."""
        return tuple([rows.value_rowids() for rows in self._nested_row_partitions])

    def nrows(self, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
        """How many rows there are.

        Args:
            out_type: The dtype of the number; by default that of ``row_splits``.

        >>> import cinta as tf
        >>> tf.ragged.constant([[3, 1], [], [4]]).nrows().numpy()
        np.int64(3)
        """
        count = self._row_partition.nrows()
        return count if out_type is None else cast(count, out_type)

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where rows begin in ``values``."""
        return self._row_partition.row_starts()

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where rows end in ``values``."""
        return self._row_partition.row_limits()

    def nested_row_lengths(self, name: str | None = None) -> tuple[Tensor, ...]:
        """How long the rows of each level are, the outermost first."""
        return tuple([rows.row_lengths() for rows in self._nested_row_partitions])
