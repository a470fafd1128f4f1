"""Rows of sparse tensors and of SciPy's sparse matrices, for Keras's batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cinta

from ..data.composites import SparseArray

if TYPE_CHECKING:
    from ..engine.sparse_tensor import SparseTensor
    from ..engine.tensor import Array


def is_sparse(value: object) -> bool:
    """Whether this is a sparse tensor."""
    return isinstance(value, cinta.SparseTensor)


def sparse_rows(slicing: Any) -> type:
    """The adapter by which Keras takes rows of sparse tensors and matrices: they stay sparse."""

    class SparseRows(slicing.Sliceable):  # type: ignore[misc]
        def __init__(self, array: Any) -> None:
            super().__init__(SparseArray.of(array if is_sparse(array) else _tensor(array)))

        @property
        def shape(self) -> Any:
            return self.array.shape

        def __getitem__(self, rows: slice | Array) -> Any:
            numbers = np.arange(len(self.array))[rows] if isinstance(rows, slice) else rows
            return self.array.take(np.asarray(numbers)).tensor

        @classmethod
        def cast(cls, x: Any, dtype: Any) -> Any:
            return cinta.cast(x, dtype) if is_sparse(x) else x.astype(dtype)

        @classmethod
        def convert_to_numpy(cls, x: SparseTensor) -> SparseTensor:
            return x

    return SparseRows


def _tensor(matrix: Any) -> SparseTensor:
    """A matrix of SciPy's as a sparse tensor; numbers that stand in one place are added."""
    rows = matrix.tocsr()
    rows.sum_duplicates()
    places = rows.tocoo()
    return cinta.SparseTensor(np.column_stack([places.row, places.col]), places.data, matrix.shape)
