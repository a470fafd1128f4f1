"""DynamicRaggedShape: the shape of a ragged tensor, with the rows of every level."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.composites import Assembled
from ...engine.convert import as_tensor, convert_to_tensor
from ...engine.shapes import TensorShape
from ...engine.tensor import Tensor, seen
from ...public import public
from ..elementwise.casting import cast
from .handlers import call
from .measuring import positive_axis
from .partition import RowPartition
from .tensor import RaggedTensor, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import DTypeLike, PartialShape
    from .annotations import Function, RaggedOrDense


@public("experimental.DynamicRaggedShape")
class DynamicRaggedShape(Assembled):
    """The shape of a ragged tensor: its levels of rows, and the shape of its flat values.

    ``tf.shape`` gives one for a ragged tensor; ``tf.reshape``, ``tf.zeros``, ``tf.ones``,
    ``tf.fill`` and ``tf.broadcast_to`` take one.

    >>> import cinta as tf
    >>> shape = tf.shape(tf.ragged.constant([[1], [2, 3]]))
    >>> shape
    <DynamicRaggedShape lengths=[2, (1, 2)] num_row_partitions=1>
    >>> tf.reshape([7, 8, 9], shape)
    <tf.RaggedTensor [[7], [8, 9]]>
    """

    __slots__ = ("_inner", "_inner_shape", "_row_partitions")
    __iter__ = None

    def __init__(
        self,
        row_partitions: Sequence[RowPartition],
        inner_shape: RaggedOrDense,
        dtype: DTypeLike | None = None,
        validate: bool = False,
        static_inner_shape: PartialShape = None,
    ) -> None:
        if not isinstance(row_partitions, (list, tuple)):
            raise TypeError(
                f"row_partitions should be a list of row partitions. Instead, got {row_partitions}"
            )
        for rows in row_partitions:
            if not isinstance(rows, RowPartition):
                raise TypeError(f"row_partitions contains {rows} which is not a RowPartition")
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
    ) -> DynamicRaggedShape:
        """The shape with these lengths of axes, a tuple of them where an axis is ragged."""
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
    ) -> DynamicRaggedShape:
        """The shape with these levels of rows, whose values have no axes of their own."""
        if not row_partitions:
            raise ValueError("row_partitions cannot be empty")
        return cls(row_partitions, [row_partitions[-1].static_nvals], dtype)

    @classmethod
    def _from_inner_shape(
        cls, inner_shape: RaggedOrDense, dtype: DTypeLike | None = None
    ) -> DynamicRaggedShape:
        return cls([], inner_shape, dtype)

    @classmethod
    def from_tensor(cls, t: RaggedOrDense, dtype: DTypeLike | None = None) -> DynamicRaggedShape:
        """The shape of a tensor, ragged or not."""
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
        """The lengths of all axes; of a ragged one a tuple of lengths, or None."""
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
        """Whether an axis has one length."""
        if not isinstance(axis, int):
            raise TypeError(f"axis must be an integer, got {axis!r}.")
        if axis < 0:
            raise IndexError("Negative axis values are not supported")
        if axis >= self.rank:
            raise IndexError(f"Expected axis={axis} < rank={self.rank}")
        is_inner = axis == 0 or axis > self.num_row_partitions
        return is_inner or self._row_partitions[axis - 1].is_uniform()

    def with_dtype(self, dtype: DTypeLike) -> DynamicRaggedShape:
        """The same shape in numbers of this type."""
        kind = dtypes.as_dtype(dtype)
        levels = [rows.with_dtype(kind) for rows in self._row_partitions]
        return DynamicRaggedShape(levels, self._inner, kind)

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

    # -- other forms -----------------------------------------------------------------------------

    def _with_num_row_partitions(self, num_row_partitions: int) -> DynamicRaggedShape:
        """The same shape, with more inner axes as rows, or more rows as inner axes."""
        wanted, depth = num_row_partitions, self.num_row_partitions
        if not isinstance(wanted, int):
            raise ValueError(f"num_row_partitions must be an int, got {wanted!r}.")
        if wanted < 0:
            raise ValueError("num_row_partitions must be nonnegative")
        if wanted == depth:
            return self
        if wanted >= self.rank:
            raise ValueError("num_row_partitions must be less than rank")
        if wanted < depth:
            return DynamicRaggedShape(
                self._row_partitions[:wanted], self._alt_inner_shape(self.rank - wanted), self.dtype
            )
        levels, rows = list(self._row_partitions), self._inner[0]
        for size in self._inner[1 : wanted - depth + 1]:
            levels.append(RowPartition._of_ends(np.arange(rows + 1) * size, self.dtype, size))
            rows *= size
        inner = [rows, *self._inner[wanted - depth + 1 :]]
        return DynamicRaggedShape(levels, inner, self.dtype)

    def _with_inner_rank(self, inner_rank: int) -> DynamicRaggedShape:
        if self.rank < 2:
            if inner_rank == self.rank:
                return self
            raise ValueError("Cannot change inner_rank if rank < 2")
        return self._with_num_row_partitions(self.rank - inner_rank)

    def _alt_inner_shape(self, new_inner_rank: int) -> Tensor:
        """The shape of the values if the last so many axes are theirs."""
        if new_inner_rank == 0:
            raise ValueError("new_inner_rank cannot be zero")
        if not self._inner:
            raise ValueError("old inner_rank cannot be zero")
        lengths = self.static_lengths(ragged_lengths=False)
        last = lengths[self.rank - new_inner_rank + 1 :]
        if None in last:
            raise ValueError("Cannot get an inner shape over a ragged dimension")
        first = int(seen(self._num_slices_in_dimension(-new_inner_rank)))
        return constant(np.array([first, *last], self.dtype.dtype))

    def _dimension(self, index: int) -> Tensor:
        if not isinstance(index, int):
            raise TypeError(f"index should be an int, got {index!r}.")
        if index >= self.rank:
            raise IndexError(f"Index is too big: {index}>={self.rank}")
        if index < 0:
            raise IndexError(f"Index must be non-negative: {index}")
        if not self.is_uniform(index):
            raise ValueError(f"Index {index} is not uniform")
        return constant(np.array(self.static_lengths(False)[index], self.dtype.dtype))

    def __getitem__(self, index: int | slice) -> Tensor | DynamicRaggedShape:
        """The length of an axis that has one, or the shape of some axes."""
        if isinstance(index, int):
            return self._dimension(index + self.rank if index < 0 else index)
        if not isinstance(index, slice):
            raise TypeError("Argument is not an int or a slice")
        if index.step not in (None, 1):
            raise IndexError("Cannot stride through a shape")
        start, stop, _ = index.indices(self.rank)
        return self._slice_shape(start, stop)

    def _slice_shape(self, start: int, stop: int) -> DynamicRaggedShape:
        """The shape of the axes from one to another; all before and among them must be uniform,
        unless they are the first ones.
        """
        if stop <= start:
            return self._from_inner_shape([], self.dtype)
        depth = self.num_row_partitions
        if stop > depth:
            partial = DynamicRaggedShape(
                self._row_partitions, self._inner[: stop - depth], self.dtype
            )
        elif stop == 1:
            partial = self._from_inner_shape([self._row_partitions[0].static_nrows], self.dtype)
        else:
            partial = self.from_row_partitions(self._row_partitions[: stop - 1])
        if not start:
            return partial
        if not all(rows.is_uniform() for rows in partial.row_partitions):
            raise ValueError("All relevant dimensions must be uniform")
        lengths = partial._with_num_row_partitions(0)._inner
        return self._from_inner_shape(lengths[start:], self.dtype)

    def _add_row_partitions(
        self, flat_values: RaggedOrDense, validate: bool = False
    ) -> RaggedOrDense:
        """The flat values in these rows."""
        if not self._row_partitions:
            return flat_values
        return RaggedTensor._from_nested_row_partitions(
            flat_values, self._row_partitions, validate=validate
        )

    # -- as parts --------------------------------------------------------------------------------

    def _parts(self) -> tuple[Tensor, ...]:
        """The tensors that it is made of, for `tf.nest`."""
        return *[rows.row_splits() for rows in self._row_partitions], self._inner_shape

    def _of_parts(self, parts: Sequence[Tensor]) -> DynamicRaggedShape:
        *splits, inner = parts
        pairs = zip(self._row_partitions, splits, strict=True)
        return DynamicRaggedShape([rows._of_parts([new]) for rows, new in pairs], inner)

    def _kind(self) -> tuple[int | None, ...]:
        return tuple([rows._kind() for rows in self._row_partitions])

    def _dispatch(
        self, function: Function, args: RaggedOrDense, kwargs: RaggedOrDense
    ) -> RaggedOrDense:
        """The result of a function of shapes."""
        return call(function, args, kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DynamicRaggedShape) and (
            self.static_lengths() == other.static_lengths()
            and self.num_row_partitions == other.num_row_partitions
            and self.dtype is other.dtype
        )

    def __hash__(self) -> int:
        return hash((tuple(self.static_lengths()), self.num_row_partitions))

    def __repr__(self) -> str:
        lengths = ", ".join(map(str, self.static_lengths()))
        return (
            f"<DynamicRaggedShape lengths=[{lengths}] num_row_partitions={self.num_row_partitions}>"
        )


def _common_dtype(parts: list[Any], dtype: DTypeLike | None) -> dtypes.DType:
    """The dtype of the numbers, which all parts that have one must share."""
    if dtype is not None:
        return dtypes.as_dtype(dtype)
    found = {dtypes.as_dtype(each.dtype) for each in parts if hasattr(each, "dtype")}
    if len(found) > 1:
        raise ValueError(f"Inconsistent dtypes of row_partitions and inner_shape: {found}.")
    return found.pop() if found else dtypes.int64
