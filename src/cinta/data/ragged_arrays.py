"""Elements of datasets whose rows differ in length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .. import dtypes
from ..engine.tensor import Tensor, seen, wrap
from ..errors import InvalidArgumentError
from ..ops.ragged.row_ends import ends_of, values_of_rows
from ..ops.ragged.row_partition import RowPartition
from ..ops.ragged.tensor import RaggedTensor, assembled
from ..programs.ragged_specs import RaggedTensorSpec
from .composite_elements import ComposedArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.tensor import Array

Row: TypeAlias = Any
"""A row: an array, ragged or not, or a number."""


Leaf: TypeAlias = Any
"""A leaf of an element, or its spec."""


class RowLevel(NamedTuple):
    """Where rows end, and how long each is if they are of one length."""

    ends: Array
    uniform: int | None


class RaggedArray(ComposedArray):
    """The arrays of a ragged tensor; without levels, a row that becomes one in a batch."""

    def __init__(self, flat: Array, levels: Sequence[RowLevel], splits: dtypes.DType) -> None:
        self.flat, self.levels, self.splits = flat, tuple(levels), splits

    @classmethod
    def of(cls, x: RaggedTensor) -> RaggedArray:
        """The arrays of this ragged tensor."""
        levels = [
            RowLevel(rows.ends, rows.static_uniform_row_length) for rows in x._nested_row_partitions
        ]
        return cls(seen(x.flat_values), levels, x.row_splits.dtype)

    @classmethod
    def of_dense(cls, array: Array, depth: int, splits: dtypes.DType) -> RaggedArray:
        """A dense array whose first axes count as rows."""
        levels, shape = [], array.shape
        rows = shape[0] if shape else 1
        for size in shape[1 : depth + 1]:
            levels.append(RowLevel(np.arange(rows + 1) * size, None))
            rows *= size
        flat = array.reshape(rows, *shape[depth + 1 :]) if depth else array
        return cls(flat, levels, splits)

    @property
    def tensor(self) -> RaggedTensor | Tensor:
        """The tensor of these arrays."""
        rows = [RowPartition._of_ends(e, self.splits, uniform) for e, uniform in self.levels]
        made: RaggedTensor | Tensor = assembled(wrap(self.flat), rows)
        return made

    @property
    def spec(self) -> RaggedTensorSpec:
        """The spec of the tensor."""
        return RaggedTensorSpec(self.shape, self.dtype, len(self.levels), self.splits)

    @property
    def arrays(self) -> list[Array]:
        """The arrays to be kept."""
        return [self.flat, *[ends for ends, _ in self.levels]]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements."""
        dtype: np.dtype[Any] = self.flat.dtype
        return dtype

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The length of every axis, None where it is ragged."""
        if not self.levels:
            return (None, *self.flat.shape[1:])
        return (len(self), *[uniform for _, uniform in self.levels], *self.flat.shape[1:])

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.levels) + self.flat.ndim

    def __len__(self) -> int:
        return len(self.levels[0].ends) - 1 if self.levels else len(self.flat)

    def __repr__(self) -> str:
        return f"a ragged tensor of shape {self.shape} and dtype {self.dtype}"

    def __getitem__(self, key: slice | int | tuple[Any, ...]) -> Row:
        if isinstance(key, slice):
            start, stop, _ = key.indices(len(self))
            return self._between(start, max(start, stop))
        if not self.levels:
            return self.flat[key]
        rows = self._between(int(key), int(key) + 1)  # type: ignore[arg-type]
        return RaggedArray(rows.flat, rows.levels[1:], self.splits)

    def _between(self, start: int, stop: int) -> RaggedArray:
        """Rows that lie together."""
        made = []
        for ends, uniform in self.levels:
            made.append(RowLevel(ends[start : stop + 1] - ends[start], uniform))
            start, stop = int(ends[start]), int(ends[stop])
        return RaggedArray(self.flat[start:stop], made, self.splits)

    def take(self, rows: Array, axis: int = 0) -> RaggedArray:
        """The rows with these numbers, in their shape."""
        chosen = rows.reshape(-1)
        made: list[RowLevel] = []
        count = len(chosen)
        for size in rows.shape[:0:-1]:
            count = count // size if size else 0
            made.insert(0, RowLevel(np.arange(count + 1) * size, size))
        for ends, uniform in self.levels:
            chosen, new = values_of_rows(ends, chosen)
            made.append(RowLevel(new, uniform))
        return RaggedArray(self.flat.take(chosen, axis=0), made, self.splits)

    def repeated(self, times: Sequence[int]) -> RaggedArray:
        """The rows so often."""
        return self.take(np.tile(np.arange(len(self)), times[0]))

    def stacked(self, parts: Sequence[RaggedArray]) -> RaggedArray | Array:
        """Ragged arrays of one depth and dtype as rows."""
        shapes = {(len(part.levels), part.flat.shape[1:], part.dtype) for part in parts}
        if len(shapes) > 1:
            raise InvalidArgumentError(f"Cannot batch {' and '.join(map(repr, parts[:2]))}.")
        if not self.flat.ndim:
            return np.stack([part.flat for part in parts])
        lengths = np.array([len(part) for part in parts], np.int64)
        made = [RowLevel(ends_of(lengths), None)]
        for depth in range(len(self.levels)):
            of_all = [part.levels[depth] for part in parts]
            offsets = ends_of(np.array([each.ends[-1] for each in of_all], np.int64))
            pairs = zip(of_all, offsets, strict=False)
            ends = [np.zeros(1, np.int64), *[each.ends[1:] + offset for each, offset in pairs]]
            sizes = {each.uniform for each in of_all}
            made.append(RowLevel(np.concatenate(ends), sizes.pop() if len(sizes) == 1 else None))
        return RaggedArray(np.concatenate([part.flat for part in parts]), made, self.splits)


def blank(spec: RaggedTensorSpec) -> RaggedArray:
    """An element of this spec: zeros, of length 1 where the length is not known."""
    shape = tuple([1 if n is None else n for n in spec.shape])
    zeros = np.full(shape, b"" if spec.dtype is dtypes.string else 0, spec.dtype.dtype)
    return RaggedArray.of_dense(zeros, spec.ragged_rank, spec.row_splits_dtype)


def of_arrays(spec: RaggedTensorSpec, arrays: Sequence[Array]) -> RaggedArray:
    """The element of arrays that were kept, which may come from a file."""
    flat, *ends = arrays
    if not ends:
        return RaggedArray(flat, [], spec.row_splits_dtype)
    try:
        made = RaggedTensor.from_nested_row_splits(wrap(flat), [wrap(each) for each in ends])
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"What was kept of a ragged tensor is none: {error}") from None
    return RaggedArray.of(made)


def ragged_spec(spec: Leaf, splits: dtypes.DType) -> Leaf:
    """The spec of elements that a batch makes ragged: those of which a length is not known."""
    shape = getattr(spec, "shape", None)
    is_dense = type(spec).__name__ == "TensorSpec"
    if not is_dense or shape is None or shape.rank is None or shape.is_fully_defined():
        return spec
    depth = max(axis for axis, size in enumerate(shape) if size is None)
    return RaggedTensorSpec(shape, spec.dtype, depth, splits)


def as_ragged(leaf: Leaf, spec: Leaf) -> Leaf:
    """A leaf of this spec."""
    if isinstance(spec, RaggedTensorSpec) and isinstance(leaf, (np.ndarray, np.generic)):
        return RaggedArray.of_dense(np.asarray(leaf), spec.ragged_rank, spec.row_splits_dtype)
    return leaf
