"""How ragged tensors are made: values, and a description of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from .row_partition import RowPartition

if TYPE_CHECKING:
    from typing import Self

    from ...engine.annotations import DTypeLike, IntLike, TensorLike
    from ...engine.sparse_tensor import SparseTensor
    from .annotations import RaggedOrDense


class Constructors:
    """The class methods that make ragged tensors."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __init__(
            self, values: RaggedOrDense, row_partition: RaggedOrDense, internal: bool = False
        ) -> None: ...

    @classmethod
    def _from_row_partition(
        cls, values: RaggedOrDense, row_partition: RowPartition, validate: bool = True
    ) -> Self:
        """The values, divided by a partition."""
        if not isinstance(row_partition, RowPartition):
            raise TypeError(
                f"Argument `row_partition` must be a RowPartition. Received {row_partition!r}."
            )
        values = ragged_or_dense(values)
        if isinstance(values, Constructors):
            inner = values._row_partition.dtype  # type: ignore[attr-defined]
            if inner is not row_partition.dtype:
                values = values.with_row_splits_dtype(dtypes.int64)  # type: ignore[attr-defined]
                row_partition = row_partition.with_dtype(dtypes.int64)
        if validate:
            count = values.shape.with_rank_at_least(1)[0]
            if count != row_partition.static_nvals:
                raise InvalidArgumentError(
                    "Arguments do not form a valid RaggedTensor: there are "
                    f"{count} values, and the rows have {row_partition.static_nvals}."
                )
        return cls(values, row_partition, internal=True)

    @classmethod
    def from_value_rowids(
        cls,
        values: TensorLike,
        value_rowids: TensorLike,
        nrows: IntLike | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """The values by the number of the row of each.

        Args:
            values: The rows joined into one.
            value_rowids: For each value the number of its row; the numbers do not fall.
            nrows: How many rows there are; by default the last value is in the last one.
            validate: Whether to check that the parts go together.

        Raises:
            InvalidArgumentError: If they do not.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_value_rowids([3, 1, 4, 1], [0, 0, 2, 2])
        <tf.RaggedTensor [[3, 1], [], [4, 1]]>
        """
        _check_flag(validate)
        rows = RowPartition.from_value_rowids(
            value_rowids, nrows, validate, dtype_hint=_splits_dtype(values)
        )
        return cls._from_row_partition(values, rows, validate)

    @classmethod
    def from_row_splits(
        cls,
        values: TensorLike,
        row_splits: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """The values, and where rows begin and end.

        Args:
            values: The rows joined into one.
            row_splits: 0, and then the end of each row, which is where the next one begins.
            validate: Whether to check that the parts go together.

        Raises:
            InvalidArgumentError: If they do not.
            ValueError: If ``row_splits`` is empty.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_row_splits([3, 1, 4, 1], [0, 3, 3, 4])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        _check_flag(validate)
        rows = RowPartition.from_row_splits(row_splits, validate, dtype_hint=_splits_dtype(values))
        return cls._from_row_partition(values, rows, validate)

    @classmethod
    def from_row_lengths(
        cls,
        values: TensorLike,
        row_lengths: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """The values, and how long each row is.

        Args:
            values: The rows joined into one.
            row_lengths: The length of each row; together they are as long as ``values``.
            validate: Whether to check that the parts go together.

        Raises:
            InvalidArgumentError: If they do not.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_row_lengths([3, 1, 4, 1], [1, 0, 3])
        <tf.RaggedTensor [[3], [], [1, 4, 1]]>
        """
        _check_flag(validate)
        rows = RowPartition.from_row_lengths(
            row_lengths, validate, dtype_hint=_splits_dtype(values)
        )
        return cls._from_row_partition(values, rows, validate)

    @classmethod
    def from_row_starts(
        cls,
        values: TensorLike,
        row_starts: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """The values, and where rows begin.

        Args:
            values: The rows joined into one.
            row_starts: Where each row begins, 0 for the first; the last one ends with the values.
            validate: Whether to check that the parts go together.

        Raises:
            InvalidArgumentError: If they do not.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_row_starts([3, 1, 4, 1], [0, 3, 3])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        _check_flag(validate)
        x = ragged_or_dense(values)
        rows = RowPartition.from_row_starts(
            row_starts, x.shape.with_rank_at_least(1)[0], validate, dtype_hint=_splits_dtype(values)
        )
        return cls._from_row_partition(values, rows, validate)

    @classmethod
    def from_row_limits(
        cls,
        values: TensorLike,
        row_limits: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """The values, and where rows end.

        Args:
            values: The rows joined into one.
            row_limits: Where each row ends; the last one ends with the values.
            validate: Whether to check that the parts go together.

        Raises:
            InvalidArgumentError: If they do not.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_row_limits([3, 1, 4, 1], [3, 3, 4])
        <tf.RaggedTensor [[3, 1, 4], [], [1]]>
        """
        _check_flag(validate)
        rows = RowPartition.from_row_limits(row_limits, validate, dtype_hint=_splits_dtype(values))
        return cls._from_row_partition(values, rows, validate)

    @classmethod
    def from_uniform_row_length(
        cls,
        values: TensorLike,
        uniform_row_length: IntLike,
        nrows: IntLike | None = None,
        validate: bool = True,
        name: str | None = None,
    ) -> Self:
        """The values in rows of one length.

        Args:
            values: The rows joined into one.
            uniform_row_length: The length of every row.
            nrows: How many rows there are, which must be said if their length is 0.
            validate: Whether to check that the parts go together.

        Raises:
            ValueError: If the length is negative, or if the values do not fill the rows.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_uniform_row_length([3, 1, 4, 1], 2).shape
        TensorShape([2, 2])
        """
        _check_flag(validate)
        values = ragged_or_dense(values)
        hint = _splits_dtype(values)
        rows = RowPartition.from_uniform_row_length(
            uniform_row_length,
            _count(values, uniform_row_length, nrows),
            nrows,
            validate,
            None,
            hint,
        )
        return cls._from_row_partition(values, rows, validate)

    @classmethod
    def from_tensor(
        cls,
        tensor: TensorLike,
        lengths: TensorLike | None = None,
        padding: TensorLike | None = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: DTypeLike = dtypes.int64,
    ) -> Self:
        """The rows of a tensor, cut off at these lengths, or before the padding at their ends.

        Args:
            tensor: A tensor with two axes or more.
            lengths: How much is kept of each row; a list of such vectors cuts off several axes.
            padding: The value that is left out at the ends of rows.
            ragged_rank: How many axes become ragged.
            row_splits_dtype: The dtype in which rows are counted: int32 or int64.

        Raises:
            ValueError: If both ``lengths`` and ``padding`` are given, or if the rank is too small.
            TypeError: If ``ragged_rank`` is not a whole number.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_tensor([[3, 0, 0], [1, 4, 0]], padding=0)
        <tf.RaggedTensor [[3], [1, 4]]>
        """
        from .densifying import from_tensor

        return from_tensor(  # type: ignore[return-value]
            tensor, lengths, padding, ragged_rank, dtypes.as_dtype(row_splits_dtype)
        )

    @classmethod
    def from_sparse(
        cls,
        st_input: SparseTensor,
        name: str | None = None,
        row_splits_dtype: DTypeLike = dtypes.int64,
    ) -> Self:
        """The values of a sparse matrix; those of a row must be its first elements.

        Args:
            st_input: The ``SparseTensor``, of rank 2.
            row_splits_dtype: The dtype in which rows are counted: int32 or int64.

        Raises:
            TypeError: If it is not a ``SparseTensor``.
            ValueError: If its rank is not 2.
            InvalidArgumentError: If a row has holes.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_sparse(tf.SparseTensor([[0, 0], [2, 0]], [3, 1], [3, 4]))
        <tf.RaggedTensor [[3], [], [1]]>
        """
        from .densifying import from_sparse

        return from_sparse(  # type: ignore[return-value]
            st_input, dtypes.as_dtype(row_splits_dtype)
        )


def ragged_or_dense(value: RaggedOrDense) -> RaggedOrDense:
    """A ragged tensor as it is, anything else as a tensor."""
    return value if isinstance(value, (Constructors, Tensor)) else as_tensor(value)


def _splits_dtype(values: RaggedOrDense) -> dtypes.DType:
    """The type of the numbers of rows, which values that are ragged decide."""
    if isinstance(values, Constructors):
        return values._row_partition.dtype  # type: ignore[attr-defined,no-any-return]
    return dtypes.int64


def _count(values: RaggedOrDense, length: RaggedOrDense, nrows: RaggedOrDense) -> RaggedOrDense:
    """How many values there are, in numbers of the type that was given."""
    given = [x.dtype for x in (length, nrows) if hasattr(x, "dtype")]
    kind = dtypes.as_dtype(given[0]) if given else _splits_dtype(values)
    return np.array(values.shape.with_rank_at_least(1)[0], kind.dtype)


def _check_flag(validate: bool) -> None:
    if not isinstance(validate, bool):
        raise TypeError(f"Argument `validate` must have type bool. Received {validate!r}.")
