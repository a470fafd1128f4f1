"""DynamicRaggedShape: the shape of a ragged tensor, with the rows of every level."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.tensor import Tensor, seen
from ...public import public
from .handlers import call
from .ragged_lengths import RaggedLengths
from .row_partition import RowPartition
from .tensor import RaggedTensor, constant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .annotations import Function, RaggedOrDense


@public("experimental.DynamicRaggedShape")
class DynamicRaggedShape(RaggedLengths):
    """The shape of a ragged tensor: its levels of rows, and the shape of its flat values.

    ``tf.shape`` gives one for a ragged tensor; ``tf.reshape``, ``tf.zeros``, ``tf.ones``,
    ``tf.fill`` and ``tf.broadcast_to`` take one.

    >>> import cinta as tf
    >>> shape = tf.shape(tf.ragged.constant([[1], [2, 3]]))
    >>> shape
    <DynamicRaggedShape lengths=[2, (1, 2)] num_row_partitions=1>
    >>> tf.reshape([7, 8, 9], shape)
    <tf.RaggedTensor [[7], [8, 9]]>
    >>> shape.static_lengths(), shape.is_uniform(1), shape.with_dtype(tf.int32).dtype
    ([2, (1, 2)], False, tf.int32)

    Args:
        row_partitions: The levels of rows, from the outermost to the innermost.
        inner_shape: The shape of the flat values.
        dtype: The dtype of the numbers; None for that of the rows.
        validate: Accepted: the levels are always checked.
        static_inner_shape: A shape that the flat values must have.

    Raises:
        TypeError: If the levels are not a list of row partitions.
        ValueError: If a level has not as many rows as the one around it has values.
    """

    __slots__ = ()
    __iter__ = None

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
            raise TypeError(f"Argument is not an int or a slice: got {index!r} as the index.")
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
