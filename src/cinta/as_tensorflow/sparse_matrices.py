"""``tensorflow.python.ops.linalg.sparse.sparse``: products of sparse matrices, for libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ..engine.convert import as_tensor
from ..engine.sparse_tensor import SparseTensor
from ..ops.linalg.matmul import matmul as dense_product
from ..ops.sparse.dense import from_dense, to_dense
from ..ops.sparse.matmul_sparse import sparse_product

if TYPE_CHECKING:
    from ..dtypes import DType
    from ..engine.annotations import TensorLike
    from ..engine.shapes import TensorShape
    from ..engine.tensor import Tensor

    Matrix: TypeAlias = "CSRSparseMatrix | TensorLike"


class CSRSparseMatrix:
    """A sparse matrix, or a batch of them. Rows need not be compressed here."""

    def __init__(
        self, value: SparseTensor | TensorLike, indices: object = None, name: str | None = None
    ) -> None:
        self._value = value if isinstance(value, SparseTensor) else from_dense(value)

    @property
    def shape(self) -> TensorShape:
        """The shape of the batch, rows and columns."""
        return self._value.shape

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._value.dtype

    def to_dense(self) -> Tensor:
        """The matrix with its zeros."""
        dense: Tensor = to_dense(self._value)
        return dense

    def to_sparse_tensor(self) -> SparseTensor:
        """The values and their places."""
        return self._value


def matmul(a: Matrix, b: Matrix) -> CSRSparseMatrix | Tensor:
    """The product of two matrices of which one is sparse at least; it is sparse if both are."""
    if isinstance(a, CSRSparseMatrix) and isinstance(b, CSRSparseMatrix):
        return CSRSparseMatrix(sparse_product(a.to_sparse_tensor(), b.to_sparse_tensor()))
    return dense_product(_dense(a), _dense(b))


def _dense(matrix: Matrix) -> Tensor:
    return matrix.to_dense() if isinstance(matrix, CSRSparseMatrix) else as_tensor(matrix)
