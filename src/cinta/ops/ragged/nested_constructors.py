"""How ragged tensors with several levels of rows are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .constructors import Constructors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from ...engine.annotations import IntLike, TensorLike
    from .annotations import RaggedOrDense
    from .row_partition import RowPartition


class NestedConstructors(Constructors):
    """The class methods that make ragged tensors, one level inside of the other."""

    __slots__ = ()

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: TensorLike,
        nested_value_rowids: Sequence[TensorLike],
        nested_nrows: Sequence[IntLike] | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Rows of rows: a list of row numbers for each level, the outermost first.

        Args:
            flat_values: The values of all levels, joined into one.
            nested_value_rowids: For each level, the numbers of the rows.
            nested_nrows: For each level, how many rows there are.
            validate: Whether to check that the parts go together.

        Raises:
            TypeError: If an argument is not a list of lists.
            ValueError: If the two are not equally long.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_nested_value_rowids([3, 1, 4], [[0, 2], [0, 0, 1]])
        <tf.RaggedTensor [[[3, 1]], [], [[4]]]>
        """
        _check_list(nested_value_rowids, "nested_value_rowids")
        counts: Sequence[IntLike | None] = [None] * len(nested_value_rowids)
        if nested_nrows is not None:
            _check_list(nested_nrows, "nested_nrows")
            counts = nested_nrows
        if len(counts) != len(nested_value_rowids):
            raise ValueError(
                "Argument `nested_nrows` must have the same length as argument "
                f"`nested_value_rowids`: got {len(counts)} and {len(nested_value_rowids)}."
            )
        result: RaggedOrDense = flat_values
        for ids, count in zip(reversed(nested_value_rowids), reversed(counts), strict=True):
            result = cls.from_value_rowids(result, ids, count, validate=validate)
        return result  # type: ignore[no-any-return]  # the values themselves, without a level

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: TensorLike,
        nested_row_splits: Sequence[TensorLike],
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Rows of rows: where the rows of each level begin and end, the outermost first.

        Args:
            flat_values: The values of all levels, joined into one.
            nested_row_splits: For each level, ``row_splits`` as ``from_row_splits`` takes them.
            validate: Whether to check that the parts go together.

        Raises:
            TypeError: If an argument is not a list.
            InvalidArgumentError: If the parts do not go together.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_nested_row_splits([3, 1, 4], [[0, 1, 1, 2], [0, 2, 3]])
        <tf.RaggedTensor [[[3, 1]], [], [[4]]]>
        """
        _check_list(nested_row_splits, "nested_row_splits")
        result: RaggedOrDense = flat_values
        for splits in reversed(nested_row_splits):
            result = cls.from_row_splits(result, splits, validate=validate)
        return result  # type: ignore[no-any-return]

    @classmethod
    def from_nested_row_lengths(
        cls,
        flat_values: TensorLike,
        nested_row_lengths: Sequence[TensorLike],
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Rows of rows: the lengths of the rows of each level, the outermost first.

        Args:
            flat_values: The values of all levels, joined into one.
            nested_row_lengths: For each level, the lengths of its rows.
            validate: Whether to check that the parts go together.

        Raises:
            TypeError: If an argument is not a list.
            InvalidArgumentError: If the parts do not go together.

        >>> import cinta as tf
        >>> tf.RaggedTensor.from_nested_row_lengths([3, 1, 4], [[1, 0, 1], [2, 1]])
        <tf.RaggedTensor [[[3, 1]], [], [[4]]]>
        """
        _check_list(nested_row_lengths, "nested_row_lengths")
        result: RaggedOrDense = flat_values
        for lengths in reversed(nested_row_lengths):
            result = cls.from_row_lengths(result, lengths, validate=validate)
        return result  # type: ignore[no-any-return]

    @classmethod
    def _from_nested_row_partitions(
        cls,
        flat_values: RaggedOrDense,
        nested_row_partitions: Sequence[RowPartition],
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Rows of rows: a partition for each level, the outermost first."""
        result: RaggedOrDense = flat_values
        for rows in reversed(nested_row_partitions):
            result = cls._from_row_partition(result, rows, validate)
        return result  # type: ignore[no-any-return]


def _check_list(value: object, argument: str) -> None:
    if not isinstance(value, (list, tuple)):
        raise TypeError(
            f"Argument `{argument}` must be a list of Tensors, one for each level of rows. "
            f"Received {value!r}."
        )
