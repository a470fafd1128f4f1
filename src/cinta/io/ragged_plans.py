"""How features of values in rows become ragged tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..dtypes import as_dtype
from ..engine.made_up import filler
from ..engine.tensor import seen
from ..errors import InvalidArgumentError
from ..ops.arrays.shaping import reshape
from ..ops.ragged.row_ends import ends_of
from ..ops.ragged.row_partition import RowPartition
from ..ops.ragged.tensor import assembled
from .example_plans import FeaturePlan
from .features import RowLengths, RowLimits, RowSplits, RowStarts, UniformRowLength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.composites import Part
    from ..engine.made_up import MadeUpLengths
    from ..engine.tensor import Array, Tensor
    from .example_plans import Column, Lists
    from .example_values import ValueOrigin
    from .features import Partition, RaggedFeature


class InRows(FeaturePlan):
    """Any number of values in each example, in rows of rows as the partitions say."""

    def __init__(self, key: str, feature: RaggedFeature) -> None:
        super().__init__(key, feature.dtype)
        self.value_key = feature.value_key or key
        self.partitions = feature.partitions
        self.index_keys = [
            each.key for each in self.partitions if not isinstance(each, UniformRowLength)
        ]
        self._row_lengths = [getattr(each, "length", None) for each in self.partitions]
        self._splits = as_dtype(feature.row_splits_dtype)
        self.dtypes += [self._splits] * (1 + len(self.partitions))

    def merged(self, places: list[Column], column: Column) -> list[Array]:
        """All values in a line; where examples end among the outermost rows; where rows end."""
        counts = np.array([0 if values is None else len(values) for values, _ in column], np.int64)
        flat = [np.empty(0, self.dtype.dtype), *[v for v, _ in column if v is not None]]
        given: list[Column] = [*places]
        levels: list[Array] = []
        for partition in reversed(self.partitions):
            numbers = [] if isinstance(partition, UniformRowLength) else given.pop()
            lengths = [
                _lengths(partition, int(count), *(numbers[i] if numbers else (None, column[i][1])))
                for i, count in enumerate(counts)
            ]
            levels.insert(0, ends_of(np.concatenate([np.empty(0, np.int64), *lengths])))
            counts = np.array([len(each) for each in lengths], np.int64)
        counted_in = self._splits.dtype
        return [np.concatenate(flat), *[e.astype(counted_in) for e in (ends_of(counts), *levels)]]

    def made_up(self, lengths: MadeUpLengths, count: int) -> list[Array]:
        """The same for so many examples, of which nothing is known."""
        if any([isinstance(each, UniformRowLength) for each in self.partitions]):
            raise ValueError("rows of one length have no example, which says how many they are")
        flat, kind = filler((lengths(),), self.dtype.dtype), self._splits.dtype
        levels = [np.zeros(lengths(), kind) for _ in self.dtypes[2:]]
        return [flat, np.zeros(count + 1, kind), *levels]

    def alone(self, arrays: list[Array]) -> list[Array]:
        """The same for one example, whose end says nothing."""
        flat, examples, *levels = arrays
        return [flat, examples[:0], *levels]

    def result(self, tensors: list[Tensor]) -> Part:
        """The ragged tensor; a tensor for the values of one example that are not divided."""
        flat, examples, *levels = tensors
        lengths = [*self._row_lengths]
        inner: list[int] = []
        while lengths and (length := lengths.pop()) is not None:  # the innermost axes are even
            inner.insert(0, length)
            count = levels.pop().shape[0] - 1
        if inner:
            flat = reshape(flat, [count, *inner])
        rows = [*map(_partition, levels, self._row_lengths)]
        if examples.shape[0]:
            rows.insert(0, _partition(examples))
        return assembled(flat, rows)


class StepsInRows(InRows):
    """Any number of steps in each sequence, each of which has rows as the partitions say."""

    def __init__(self, key: str, feature: RaggedFeature) -> None:
        super().__init__(key, feature)
        self._row_lengths = [None, *self._row_lengths]
        self.dtypes.append(self._splits)

    def sequences(
        self, others: Sequence[Lists], given: Lists, places: Sequence[ValueOrigin]
    ) -> list[Array]:
        """All values in a line; where sequences end, and steps, and the rows of steps."""
        lengths = [len(column or []) for column in given]
        if any([len(column or []) for column in each] != lengths for each in others):
            raise InvalidArgumentError(
                f"Feature {self.key}: values and partitions are not aligned: they have lists of "
                "different lengths."
            )
        partitions = [*map(_in_a_line, others)]
        flat, *levels = self.merged(partitions, _in_a_line(given))
        ends = ends_of(np.array(lengths, np.int64))
        return [flat, ends.astype(self._splits.dtype), *levels]


def _in_a_line(lists: Lists) -> Column:
    return [step for column in lists for step in column or []]


def _partition(ends: Tensor, length: int | None = None) -> RowPartition:
    if length is None:
        return RowPartition.from_row_splits(ends, validate=False)
    return RowPartition._of_ends(seen(ends), ends.dtype, length)


def _lengths(partition: Partition, count: int, numbers: Array | None, place: ValueOrigin) -> Array:
    """The lengths of the rows into which so many items are divided."""
    if isinstance(partition, UniformRowLength):
        rows = count // partition.length if partition.length else 0
        found = np.full(rows, partition.length, np.int64)
    else:
        found = _said(partition, count, np.empty(0, np.int64) if numbers is None else numbers)
    if (found < 0).any() or found.sum() != count:
        raise InvalidArgumentError(
            f"{place}  The {type(partition).__name__} of a RaggedFeature divide {count} values "
            f"into rows of {found.tolist()}."
        )
    return found


def _said(partition: Partition, count: int, numbers: Array) -> Array:
    """The lengths of rows that the numbers of a feature say."""
    if isinstance(partition, RowLengths):
        return numbers
    if isinstance(partition, RowSplits):
        return np.diff(numbers)
    if isinstance(partition, RowStarts):
        return np.diff(numbers, append=count)
    if isinstance(partition, RowLimits):
        return np.diff(numbers, prepend=0)
    if len(numbers) != count or (np.diff(numbers, prepend=0) < 0).any():
        return np.array([-1])  # numbers of rows that do not fit
    if count and numbers[-1] > _MOST_ROWS:
        return np.array([-1])
    return np.bincount(numbers)


_MOST_ROWS = 1 << 24
"""More rows than one example has: a number above is not believed."""
