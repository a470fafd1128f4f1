"""Operators given by a matrix, by a triangle of one, or by a few of its diagonals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .... import dtypes
from ....engine.convert import as_tensor, match
from ....engine.tensor import seen, wrap
from ....public import public
from ...arguments import text
from ...arrays.gathering import gather
from ...arrays.joining import concat
from ...arrays.reordering import reverse
from ...arrays.shaping import expand_dims, matrix_transpose
from ...arrays.tiling import broadcast_to
from ...elementwise.complex_numbers import conj
from ...elementwise.unary import abs, log
from ...reductions.reduction import reduce_prod, reduce_sum
from ..banded import compact_diagonals, tridiagonal_matmul, tridiagonal_solve
from ..diagonals import band_part, diag, diag_part
from ..solving import triangular_solve
from .base import LinearOperator
from .diagonal import tensor_or_variable
from .shapes import same_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....engine.annotations import DTypeLike, NumericLike
    from ....engine.shapes import Shape
    from ....engine.tensor import Tensor
    from ....engine.variable import Variable


def _reference(name: str, value: NumericLike, rank: int) -> Tensor | Variable:
    """A tensor or variable of at least this rank."""
    given = tensor_or_variable(value)
    if len(given.shape) < rank:
        raise ValueError(
            f"Argument `{name}` must have at least {rank} dimensions. Found: {given.shape}"
        )
    return given


@public("linalg.LinearOperatorFullMatrix")
class LinearOperatorFullMatrix(LinearOperator):
    """A ``matrix`` with all its elements.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]]).matvec([1.0, 1.0]).numpy()
    array([3., 7.], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"matrix": 2}

    def __init__(
        self,
        matrix: NumericLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorFullMatrix",
    ) -> None:
        self.matrix = _reference("matrix", matrix, 2)
        if not self.matrix.dtype.is_floating and not self.matrix.dtype.is_complex:
            raise TypeError(
                f"Argument `matrix` must be of floats. Received: {self.matrix.dtype!r}."
            )
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(self.matrix.dtype, None, *hints, name)

    def _lengths(self) -> Shape:
        return tuple(self.matrix.shape)

    def _to_dense(self) -> Tensor:
        return as_tensor(self.matrix)


@public("linalg.LinearOperatorLowerTriangular")
class LinearOperatorLowerTriangular(LinearOperator):
    """A lower triangular matrix; what ``tril`` has above the diagonal does not count.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorLowerTriangular([[1.0, 9.0], [3.0, 4.0]]).to_dense().numpy()
    array([[1., 0.],
           [3., 4.]], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"tril": 2}

    def __init__(
        self,
        tril: NumericLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowerTriangular",
    ) -> None:
        if is_square is False:
            raise ValueError("Only square lower triangular operators are supported.")
        self.tril = _reference("tril", tril, 2)
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, True)
        super().__init__(self.tril.dtype, None, *hints, name)

    def _lengths(self) -> Shape:
        return tuple(self.tril.shape)

    def _to_dense(self) -> Tensor:
        return band_part(self.tril, -1, 0)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return triangular_solve(self.tril, rhs, lower=True, adjoint=adjoint)

    def _diag_part(self) -> Tensor:
        return diag_part(self.tril)

    _get_diag = _diag_part  # by which classes of libraries know it

    def _determinant(self) -> Tensor:
        return reduce_prod(self._diag_part(), -1)

    def _log_abs_determinant(self) -> Tensor:
        return reduce_sum(log(abs(self._diag_part())), -1)


@public("linalg.LinearOperatorTridiag")
class LinearOperatorTridiag(LinearOperator):
    """A matrix with three diagonals, in one of the formats of `tf.linalg.tridiagonal_solve`.

    ``diagonals_format`` is "compact", "sequence" or "matrix".

    >>> import cinta as tf
    >>> diagonals = [[3.0, 3.0, 0.0], [2.0, 2.0, 2.0], [0.0, 1.0, 1.0]]
    >>> tf.linalg.LinearOperatorTridiag(diagonals).to_dense().numpy()
    array([[2., 3., 0.],
           [1., 2., 3.],
           [0., 1., 2.]], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"diagonals": 2}

    def __init__(
        self,
        diagonals: Sequence[NumericLike] | Tensor | Variable | np.ndarray[Any, Any],
        diagonals_format: str = "compact",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorTridiag",
    ) -> None:
        if text(diagonals_format, "diagonals_format") not in ("compact", "matrix", "sequence"):
            raise ValueError(
                f"Argument `diagonals_format` must be one of compact, matrix, or sequence. Found: "
                f"{diagonals_format}."
            )
        if is_square is False:
            raise ValueError("A tridiagonal operator is always square.")
        parts = list(diagonals) if diagonals_format == "sequence" else [diagonals]
        made = [tensor_or_variable(part) for part in parts]
        self.diagonals = made if diagonals_format == "sequence" else made[0]
        self._format = diagonals_format
        if self._compact().ndim < 2:
            raise ValueError(f"Argument `diagonals` must be three diagonals, got {diagonals!r}.")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, True)
        super().__init__(self._compact().dtype, None, *hints, name)

    def _compact(self) -> Tensor:
        return compact_diagonals(self.diagonals, self._format)

    def _lengths(self) -> Shape:
        *batch, _, length = self._compact()._array.shape
        return (*batch, length, length)

    def _adjoint(self) -> LinearOperator:
        upper, middle, lower = [self._compact()[..., k, :] for k in range(3)]
        ahead = concat([lower[..., 1:], lower[..., :1]], -1)
        behind = concat([upper[..., -1:], upper[..., :-1]], -1)
        parts = [expand_dims(conj(x), -2) for x in (ahead, middle, behind)]
        return LinearOperatorTridiag(concat(parts, -2))

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        if adjoint:
            return self._adjoint()._matmul(x, adjoint=False)
        return tridiagonal_matmul(self._compact(), x)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        if adjoint:
            return self._adjoint()._solve(rhs, adjoint=False)
        diagonals, columns = same_batch(self._compact(), rhs)
        return tridiagonal_solve(diagonals, columns)

    def _diag_part(self) -> Tensor:
        return self._compact()[..., 1, :]

    def _to_dense(self) -> Tensor:
        return diag(self._compact(), k=(-1, 1), align="LEFT_RIGHT")


@public("linalg.LinearOperatorToeplitz")
class LinearOperatorToeplitz(LinearOperator):
    """A matrix that is constant along each diagonal, given by its first column and row.

    The element where ``col`` and ``row`` meet is that of ``col``.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorToeplitz([1.0, 2.0, 3.0], [1.0, 5.0, 6.0]).to_dense().numpy()
    array([[1., 5., 6.],
           [2., 1., 5.],
           [3., 2., 1.]], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"col": 1, "row": 1}

    def __init__(
        self,
        col: NumericLike,
        row: NumericLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        if is_square is False:
            raise ValueError("Only square Toeplitz operators are supported.")
        self.col, self.row = _reference("col", col, 1), _reference("row", row, 1)
        match("LinearOperatorToeplitz", self.col, self.row)
        if self.col.shape[-1] != self.row.shape[-1]:
            raise ValueError(
                "Expected square matrix, got row and col with mismatched dimensions: "
                f"{self.row.shape} and {self.col.shape}."
            )
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, True)
        super().__init__(self.col.dtype, None, *hints, name)

    def _lengths(self) -> Shape:
        *batch, length = np.broadcast_shapes(tuple(self.col.shape), tuple(self.row.shape))
        return (*batch, length, length)

    def _to_dense(self) -> Tensor:
        *batch, length, _ = self._lengths()
        col, row = [broadcast_to(x, [*batch, length]) for x in (self.col, self.row)]
        places = length - 1 + np.arange(length)[:, None] - np.arange(length)
        diagonals = concat([reverse(row[..., 1:], [-1]), col], -1)
        return gather(diagonals, wrap(places), axis=-1)


@public("linalg.LinearOperatorPermutation")
class LinearOperatorPermutation(LinearOperator):
    """A matrix that reorders: row k of a product is row ``perm[k]``.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorPermutation([2, 0, 1]).matvec([1.0, 2.0, 3.0]).numpy()
    array([3., 1., 2.], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"perm": 1}

    def __init__(
        self,
        perm: NumericLike,
        dtype: DTypeLike = dtypes.float32,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorPermutation",
    ) -> None:
        self.perm = _reference("perm", perm, 1)
        if not self.perm.dtype.is_integer:
            raise TypeError(f"Argument `perm` must be integer dtype. Found: {self.perm.dtype!r}")
        order = seen(as_tensor(self.perm))
        if np.any(np.sort(order) != np.arange(order.shape[-1])):
            raise ValueError("Argument `perm` must be a vector of unique integers from 0 on.")
        if is_non_singular is False or is_square is False:
            raise ValueError("A permutation operator is always square and non-singular.")
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, True)
        super().__init__(dtype, None, *hints, name)

    def _lengths(self) -> Shape:
        shape = tuple(self.perm.shape)
        return (*shape, shape[-1])

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        order = seen(as_tensor(self.perm))
        if adjoint:
            order = np.argsort(order)
        batch = np.broadcast_shapes(order.shape[:-1], x._array.shape[:-2])
        rows = broadcast_to(x, [*batch, *x._array.shape[-2:]])
        places = np.broadcast_to(order, (*batch, order.shape[-1]))
        return gather(rows, wrap(places), axis=-2, batch_dims=len(batch))

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return self._matmul(rhs, not adjoint)

    def _log_abs_determinant(self) -> Tensor:
        return self._for_each(0)


@public("linalg.LinearOperatorHouseholder")
class LinearOperatorHouseholder(LinearOperator):
    """The reflection by the plane to which ``reflection_axis`` is normal.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorHouseholder([1.0, 0.0]).matvec([3.0, 4.0]).numpy()
    array([-3.,  4.], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"reflection_axis": 1}

    def __init__(
        self,
        reflection_axis: NumericLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        self.reflection_axis = _reference("reflection_axis", reflection_axis, 1)
        if is_self_adjoint is False or is_non_singular is False or is_square is False:
            raise ValueError("A Householder operator is self-adjoint, non-singular and square.")
        if is_positive_definite:
            raise ValueError("A Householder operator is always non-positive definite.")
        super().__init__(self.reflection_axis.dtype, None, is_non_singular, True, False, True, name)

    def _lengths(self) -> Shape:
        shape = tuple(self.reflection_axis.shape)
        return (*shape, shape[-1])

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        axis = expand_dims(as_tensor(self.reflection_axis), -1)
        row = matrix_transpose(axis, conjugate=True)
        share = (row @ x) / (row @ axis)
        return x - 2.0 * axis * share

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return self._matmul(rhs, adjoint)

    def _inverse(self) -> LinearOperator:
        return self

    def _determinant(self) -> Tensor:
        return self._for_each(-1)

    def _log_abs_determinant(self) -> Tensor:
        return self._for_each(0)
