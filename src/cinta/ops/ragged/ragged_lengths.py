"""The lengths of the axes of a ragged tensor, with the rows of every level."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.composites import Assembled
from ...engine.convert import as_tensor, convert_to_tensor
from ...engine.shapes import TensorShape
from ...engine.tensor import Tensor, seen
from ..arguments import flag
from ..elementwise.casting import cast
from .measuring import positive_axis
from .row_partition import RowPartition
from .tensor import RaggedTensor, constant

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from ...engine.annotations import DTypeLike, PartialShape
    from .annotations import RaggedOrDense


class RaggedLengths(Assembled):
    """Levels of rows, and the shape of the values in them."""

    __slots__ = ("_inner", "_inner_shape", "_row_partitions")

    def __init__(
        self,
        row_partitions: Sequence[RowPartition],
        inner_shape: RaggedOrDense,
        dtype: DTypeLike | None = None,
        validate: bool = False,
        static_inner_shape: PartialShape = None,
    ) -> None:
        _listed_partitions(row_partitions)
        kind = _common_dtype([*row_partitions, inner_shape], dtype)
        self._row_partitions = tuple([rows.with_dtype(kind) for rows in row_partitions])
        self._inner_shape = cast(convert_to_tensor(inner_shape, dtype_hint=kind), kind)
        self._inner_shape.shape.assert_has_rank(1)
        self._inner = tuple(seen(self._inner_shape).tolist())
        TensorShape(static_inner_shape).assert_is_compatible_with(self._inner)
        self._check()

    def _check(self) -> None:
        levels = self._row_partitions
        for axis in range(1, len(levels)):
            if levels[axis].static_nrows != levels[axis - 1].static_nvals:
                raise ValueError(
                    "RowPartitions in DynamicRaggedShape do not align between "
                    f"{axis - 1} and {axis}: {levels[axis - 1].static_nvals} values, "
                    f"{levels[axis].static_nrows} rows."
                )
        if levels and not self._inner:
            raise ValueError("If row_partitions are provided, must have inner_rank > 0")
        if levels and levels[-1].static_nvals != self._inner[0]:
            raise ValueError(
                f"Last row partition does not match inner_shape: {levels[-1].static_nvals} values "
                f"for {list(self._inner)}."
            )

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def from_lengths(
        cls,
        lengths: list[int | tuple[int, ...]],
        num_row_partitions: int | None = None,
        dtype: DTypeLike = dtypes.int64,
    ) -> Self:
        """The shape with these lengths of axes.

        >>> import cinta as tf
        >>> tf.zeros(tf.experimental.DynamicRaggedShape.from_lengths([2, (1, 2)]))
        <tf.RaggedTensor [[0.0], [0.0, 0.0]]>

        Args:
            lengths: A list of lengths, with a tuple of them where an axis is ragged.
            num_row_partitions: How many axes after the first are kept as rows; None for those up to
                the last ragged one.
            dtype: The dtype of the numbers.

        Raises:
            ValueError: If these are not lengths, or do not fit together.
        """
        if not isinstance(lengths, list):
            raise ValueError(f"lengths should be a list, got {lengths!r}.")
        for each in lengths:
            items = each if isinstance(each, tuple) else (each,)
            if not all(isinstance(n, int) for n in items):
                raise ValueError(
                    f"element of lengths should be int or tuple of ints: instead {each!r}"
                )
        ragged = [i for i, each in enumerate(lengths) if isinstance(each, tuple)]
        count = max(ragged, default=0) if num_row_partitions is None else num_row_partitions
        if not isinstance(count, int):
            raise ValueError(f"num_row_partitions should be an int or None, got {count!r}.")
        if not lengths and count:
            raise ValueError("num_row_partitions==0 for a scalar shape")
        if lengths and count >= len(lengths):
            raise ValueError(
                "num_row_partitions should be less than `len(lengths)` if shape is not scalar."
            )
        levels: list[RowPartition] = []
        if not count:
            return cls([], lengths, dtype)
        size: RaggedOrDense = lengths[0]
        for each in lengths[1 : count + 1]:
            if isinstance(each, tuple) and size != len(each):
                raise ValueError(
                    f"Shape not consistent: {size} rows, and lengths for {len(each)} of them."
                )
            if isinstance(each, tuple):
                levels.append(RowPartition.from_row_lengths(list(each)))
            else:
                levels.append(RowPartition.from_uniform_row_length(each, nrows=size))
            size = levels[-1].static_nvals
        return cls(levels, [size, *lengths[count + 1 :]], dtype)

    @classmethod
    def from_row_partitions(
        cls, row_partitions: Sequence[RowPartition], dtype: DTypeLike | None = None
    ) -> Self:
        """The shape with these levels of rows, whose values have no axes of their own.

        >>> import cinta as tf
        >>> rows = tf.experimental.RowPartition.from_row_lengths([1, 2])
        >>> tf.experimental.DynamicRaggedShape.from_row_partitions([rows])
        <DynamicRaggedShape lengths=[2, (1, 2)] num_row_partitions=1>

        Args:
            row_partitions: The levels, from the outermost to the innermost.
            dtype: The dtype of the numbers; None for that of the rows.

        Raises:
            ValueError: If there are none.
        """
        if not _listed_partitions(row_partitions):
            raise ValueError("row_partitions cannot be empty")
        return cls(row_partitions, [row_partitions[-1].static_nvals], dtype)

    @classmethod
    def _from_inner_shape(cls, inner_shape: RaggedOrDense, dtype: DTypeLike | None = None) -> Self:
        return cls([], inner_shape, dtype)

    @classmethod
    def from_tensor(cls, t: RaggedOrDense, dtype: DTypeLike | None = None) -> Self:
        """The shape of a tensor, ragged or not.

        >>> import cinta as tf
        >>> tf.experimental.DynamicRaggedShape.from_tensor(tf.zeros([2, 3]))
        <DynamicRaggedShape lengths=[2, 3] num_row_partitions=0>

        Args:
            t: The tensor.
            dtype: The dtype of the numbers; None for that of the rows.
        """
        if isinstance(t, RaggedTensor):
            return cls(t._nested_row_partitions, t.flat_values.shape.as_list(), dtype)
        return cls([], as_tensor(t).shape.as_list(), dtype)

    # -- properties ------------------------------------------------------------------------------

    @property
    def row_partitions(self) -> tuple[RowPartition, ...]:
        """The levels of rows, the outermost first."""
        return self._row_partitions

    @property
    def num_row_partitions(self) -> int:
        """How many levels of rows there are."""
        return len(self._row_partitions)

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the numbers: int32 or int64."""
        return self._inner_shape.dtype

    @property
    def inner_shape(self) -> Tensor:
        """The shape of the flat values."""
        return self._inner_shape

    @property
    def inner_rank(self) -> int:
        """How many axes the flat values have."""
        return len(self._inner)

    @property
    def rank(self) -> int:
        """How many axes there are."""
        return self.num_row_partitions + self.inner_rank

    def static_lengths(self, ragged_lengths: bool = True) -> list[Any]:
        """The lengths of all axes.

        Args:
            ragged_lengths: Whether a ragged axis has a tuple of lengths, or None.
        """
        ragged_lengths = flag(ragged_lengths, "ragged_lengths")
        levels = self._row_partitions
        if not levels:
            return list(self._inner)
        found: list[Any] = [levels[0].static_nrows]
        for rows in levels:
            size: RaggedOrDense = rows.static_uniform_row_length
            if size is None and ragged_lengths:
                size = tuple(rows.lengths.tolist())
            found.append(size)
        return found + list(self._inner[1:])

    def is_uniform(self, axis: int) -> bool:
        """Whether an axis has one length.

        Args:
            axis: The number of the axis, from 0 on.

        Raises:
            IndexError: If there is no such axis.
            TypeError: If it is not a number.
        """
        if not isinstance(axis, int):
            raise TypeError(f"axis must be an integer, got {axis!r}.")
        if axis < 0:
            raise IndexError("Negative axis values are not supported")
        if axis >= self.rank:
            raise IndexError(f"Expected axis={axis} < rank={self.rank}")
        is_inner = axis == 0 or axis > self.num_row_partitions
        return is_inner or self._row_partitions[axis - 1].is_uniform()

    def with_dtype(self, dtype: DTypeLike) -> Self:
        """The same shape in numbers of another type.

        Args:
            dtype: int32 or int64.
        """
        kind = dtypes.as_dtype(dtype)
        levels = [rows.with_dtype(kind) for rows in self._row_partitions]
        return type(self)(levels, self._inner, kind)

    def _to_tensor_shape(self) -> TensorShape:
        return TensorShape(self.static_lengths(ragged_lengths=False))

    def _num_elements(self) -> Tensor:
        return constant(np.array(prod(self._inner), self.dtype.dtype))

    def _num_slices_in_dimension(self, axis: int) -> Tensor:
        """How many items there are in all rows up to an axis."""
        if not isinstance(axis, int):
            raise TypeError(f"axis must be an integer, got {axis!r}.")
        number = positive_axis(axis, self.rank)
        depth = self.num_row_partitions
        if number >= depth:
            count = prod(self._inner[: number - depth + 1])
        else:
            count = self._row_partitions[number].static_nrows
        return constant(np.array(count, self.dtype.dtype))


def _listed_partitions(given: object) -> Sequence[RowPartition]:
    """Levels of rows that were given in a list."""
    if not isinstance(given, (list, tuple)):
        raise TypeError(f"row_partitions should be a list of row partitions. Instead, got {given}")
    for rows in given:
        if not isinstance(rows, RowPartition):
            raise TypeError(f"row_partitions contains {rows} which is not a RowPartition")
    return given


def _common_dtype(parts: list[Any], dtype: DTypeLike | None) -> dtypes.DType:
    """The dtype of the numbers, which all parts that have one must share."""
    if dtype is not None:
        return dtypes.as_dtype(dtype)
    found = {dtypes.as_dtype(each.dtype) for each in parts if hasattr(each, "dtype")}
    if len(found) > 1:
        raise ValueError(f"Inconsistent dtypes of row_partitions and inner_shape: {found}.")
    return found.pop() if found else dtypes.int64
