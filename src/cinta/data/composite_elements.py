"""Elements that are not one array: the arrays of sparse tensors, and None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.shapes import TensorShape
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import seen, wrap
from ..errors import InvalidArgumentError
from ..ops.sparse.rows import check_alike, stacked_places
from ..programs.composite_specs import NoneTensorSpec, RowsSpec, SparseTensorSpec
from ..programs.specs import TensorSpec, TypeSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.composites import Part
    from ..engine.shapes import Shape
    from ..engine.tensor import Array


class ComposedArray:
    """The arrays of a tensor that is made of several. Along its first axis it is taken apart as an
    array is.
    """

    __slots__ = ()

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        raise NotImplementedError

    @property
    def tensor(self) -> Part:
        """The tensor of these arrays."""
        raise NotImplementedError

    @property
    def spec(self) -> TypeSpec:
        """The spec of the tensor."""
        raise NotImplementedError

    @property
    def arrays(self) -> list[Any]:
        """The arrays to be kept."""
        raise NotImplementedError

    def repeated(self, times: Sequence[int]) -> ComposedArray:
        """The array so often along each axis."""
        raise NotImplementedError

    def stacked(self, parts: Sequence[Any]) -> ComposedArray | Array:
        """Such arrays as rows."""
        raise NotImplementedError


class SparseArray(ComposedArray):
    """The arrays of a sparse tensor."""

    __slots__ = ("_ends", "indices", "shape", "values")

    def __init__(self, indices: Array, values: Array, shape: Shape) -> None:
        self.indices, self.values, self.shape = indices, values, shape
        self._ends: Array | None = None

    @classmethod
    def of(cls, sparse: SparseTensor) -> SparseArray:
        """The arrays of this sparse tensor."""
        return cls(seen(sparse.indices), seen(sparse.values), sparse.lengths)

    @property
    def tensor(self) -> SparseTensor:
        """The sparse tensor of these arrays."""
        return SparseTensor(wrap(self.indices), wrap(self.values), self.shape)

    @property
    def spec(self) -> SparseTensorSpec:
        """The spec of the sparse tensor."""
        return SparseTensorSpec(self.shape, self.dtype)

    @property
    def arrays(self) -> list[Any]:
        """The arrays to be kept."""
        return [self.indices, self.values, np.array(self.shape, np.int64)]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        dtype: np.dtype[Any] = self.values.dtype
        return dtype

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.shape)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"a sparse tensor of shape {self.shape} and dtype {self.dtype}"

    def __getitem__(self, key: Array | slice | int) -> SparseArray:
        if isinstance(key, slice):
            return self.take(np.arange(len(self))[key])
        first, stop = self._row_ends()[key : key + 2]
        return SparseArray(self.indices[first:stop, 1:], self.values[first:stop], self.shape[1:])

    def take(self, rows: Array, axis: int = 0) -> SparseArray:
        """The rows with these numbers, in their shape."""
        ends, flat = self._row_ends(), rows.reshape(-1)
        counts = ends[flat + 1] - ends[flat]
        gaps = np.repeat(ends[flat] - (np.cumsum(counts) - counts), counts)
        places = gaps + np.arange(len(gaps))
        new = np.unravel_index(np.repeat(np.arange(len(flat)), counts), rows.shape)
        indices = np.column_stack([*new, self.indices[places, 1:]]).astype(np.int64)
        return SparseArray(indices, self.values[places], rows.shape + self.shape[1:])

    def _row_ends(self) -> Array:
        """Where the values of each row begin, and where the last ones end."""
        if self._ends is None:
            rows = self.indices[:, 0]
            if (np.diff(rows) < 0).any():
                order = np.argsort(rows, kind="stable")
                self.indices, self.values = self.indices[order], self.values[order]
                rows = self.indices[:, 0]
            self._ends = np.searchsorted(rows, np.arange(len(self) + 1))
        return self._ends

    def repeated(self, times: Sequence[int]) -> SparseArray:
        """The array so often along each axis."""
        made = self
        for axis, count in enumerate(times):
            moved = made.indices + np.arange(count)[:, None, None] * np.where(
                np.arange(self.ndim) == axis, made.shape[axis], 0
            )
            lengths = [n * (count if i == axis else 1) for i, n in enumerate(made.shape)]
            indices = moved.reshape(-1, self.ndim)
            made = SparseArray(indices, np.tile(made.values, count), tuple(lengths))
        return made

    def stacked(self, parts: Sequence[SparseArray]) -> SparseArray:
        """Sparse arrays of one rank and dtype as rows."""
        check_alike(parts)
        indices, lengths = stacked_places([x.indices for x in parts], [x.shape for x in parts])
        return SparseArray(indices, np.concatenate([x.values for x in parts]), tuple(lengths))


def check_rows(array: SparseArray) -> None:
    """Refuse to take a sparse vector apart, whose rows would be numbers."""
    if array.ndim < 2:
        raise InvalidArgumentError(
            f"Rank of input SparseTensor should be > 1, but saw rank: {array.ndim}. Use "
            "tf.sparse.to_dense."
        )


# -- specs -------------------------------------------------------------------------------------


def spec_of_leaf(leaf: ComposedArray | Array | None) -> TypeSpec:
    """The spec of an array, or of None."""
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, ComposedArray):
        return leaf.spec
    return TensorSpec(leaf.shape, leaf.dtype)


def reshaped(spec: TensorSpec | SparseTensorSpec | RowsSpec, shape: TensorShape) -> Part:
    """The spec of a tensor, sparse or not, of another shape."""
    if isinstance(spec, RowsSpec):
        return spec._of_shape(shape)
    kind = SparseTensorSpec if isinstance(spec, SparseTensorSpec) else TensorSpec
    return kind(shape, spec.dtype)


# -- as arrays ---------------------------------------------------------------------------------


def arrays_of(leaf: ComposedArray | Array | None) -> list[Any]:
    """The arrays that a leaf is made of; an empty one for None."""
    if leaf is None:
        return [np.zeros(0, bool)]
    return leaf.arrays if isinstance(leaf, ComposedArray) else [leaf]


def count_of_arrays(spec: TypeSpec) -> int:
    """How many arrays a leaf of this spec is made of."""
    if isinstance(spec, RowsSpec):
        return len(spec._parts())
    return 3 if isinstance(spec, SparseTensorSpec) else 1


def of_arrays(spec: TypeSpec, arrays: Sequence[Any]) -> ComposedArray | Array | None:
    """The leaf of these arrays, which may come from a file."""
    if isinstance(spec, NoneTensorSpec):
        return None
    if isinstance(spec, RowsSpec):
        from .ragged_arrays import of_arrays as ragged_of_arrays

        return ragged_of_arrays(spec, arrays)  # type: ignore[arg-type]  # the only such spec
    if not isinstance(spec, SparseTensorSpec):
        only: Array = arrays[0]
        return only
    try:
        return SparseArray.of(SparseTensor(*arrays))
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"What was kept of a sparse tensor is none: {error}") from None
