"""Systems of linear equations."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ...engine.convert import match
from ...engine.dtype_kinds import FLOATING
from ...engine.op import op
from ...engine.primitives import Conj, SumTo, Transpose
from ...engine.shapes import Shape, written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import common_shape, flag
from .diagonal_ops import MatrixBandPart
from .diagonals import matrices
from .matmul import MatMul

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor

    T = TypeVar("T")


def precise(op: str, value: NumericLike) -> Tensor:
    """The value as a tensor of matrices that LAPACK can take."""
    x = matrices(op, value, FLOATING)
    if x._array.dtype.itemsize == 2:
        raise InvalidArgumentError(
            f"Value for attr 'T' of {x.dtype.kernel_name} is not in the list of allowed values: "
            "float, double, complex64, complex128. There is no linear algebra in half precision: "
            f"use tf.cast(x, tf.float32). [Op:{op}]"
        )
    return x


def square(op: str, value: NumericLike) -> Tensor:
    """The value as a tensor of square matrices."""
    x = precise(op, value)
    rows, columns = x._array.shape[-2:]
    if rows != columns:
        raise InvalidArgumentError(
            f"Input matrix must be square. Received shape: {written(x._array.shape)} [Op:{op}]"
        )
    return x


def times(a: Tensor, b: Tensor, transpose_a: bool = False, transpose_b: bool = False) -> Tensor:
    """The product of matrices, in a rule."""
    return MatMul(a, b, transpose_a=transpose_a, transpose_b=transpose_b)


def transposed(x: Tensor) -> Tensor:
    """Matrices with rows and columns exchanged, in a rule."""
    return Transpose(x, perm=(-1, -2))


def invertible(function: Callable[..., T], *matrices: Array, what: str) -> T:
    """Call a function of NumPy's; say in TensorFlow's words that a matrix is singular."""
    try:
        return function(*matrices)
    except np.linalg.LinAlgError:
        raise InvalidArgumentError(f"{what} is not invertible.") from None


def one_by_one(function: Callable[..., Array], signature: str, *stacks: Array) -> Array:
    """Call a function that knows single matrices on every matrix of stacks, broadcast."""
    dtype = stacks[0].dtype.char
    result: Array = np.vectorize(function, signature=signature, otypes=[dtype])(*stacks)
    return result


# -- linear equations --------------------------------------------------------------------------


def side_by_side(solver: Callable[..., Array], a: Array, b: Array) -> Array:
    """Solve for many right-hand sides of the one matrix at once, so that it is factored once."""
    if not a.ndim == 2 < b.ndim:
        return solver(a, b)
    columns = np.moveaxis(b, -2, 0)
    solution = solver(a, columns.reshape(len(columns), -1))
    return np.moveaxis(solution.reshape(columns.shape), 0, -2)


@op("MatrixSolve")
def MatrixSolve(xp: ArrayModule, matrix: Array, rhs: Array, *, transpose: bool) -> Array:
    """The solutions of linear equations, with the matrices transposed first if told."""
    if transpose:
        matrix = matrix.swapaxes(-1, -2)
    if xp is not np:
        return xp.linalg.solve(matrix, rhs)
    result: Array = invertible(_solve, matrix, rhs, what="Input matrix")
    return result


@MatrixSolve.fails_if
def _(xp: ArrayModule, out: Array, matrix: Array, rhs: Array, *, transpose: bool) -> Array:
    return ~xp.all(xp.isfinite(out))


def _solve(matrix: Array, rhs: Array) -> Array:
    return side_by_side(np.linalg.solve, matrix, rhs)


@op("MatrixTriangularSolve")
def TriangularSolve(
    xp: ArrayModule, matrix: Array, rhs: Array, *, lower: bool, transpose: bool
) -> Array:
    """The solutions of linear equations of which only one triangle is read."""
    matrix = xp.tril(matrix) if lower else xp.triu(matrix)
    return xp.linalg.solve(matrix.swapaxes(-1, -2) if transpose else matrix, rhs)


def _triangular_solve(matrix: Array, rhs: Array, *, lower: bool, transpose: bool) -> Array:
    """By substitution, which finds inf and nan where NumPy would only see a singular matrix."""
    if matrix.ndim > 2:
        upright = matrix.swapaxes(-1, -2) if transpose else matrix
        return _row_by_row(upright, rhs, lower != transpose)
    from scipy.linalg import get_blas_funcs

    substitute = get_blas_funcs("trsm", (matrix, rhs))

    def solve(a: Array, b: Array) -> Array:
        return substitute(1.0, a, b, lower=lower, trans_a=int(transpose)) if b.size else b

    return side_by_side(solve, matrix, rhs)


def _row_by_row(matrix: Array, rhs: Array, lower: bool) -> Array:
    """Substitution for all matrices of a stack at once."""
    size = matrix.shape[-1]
    batch = np.broadcast_shapes(matrix.shape[:-2], rhs.shape[:-2])
    x = np.broadcast_to(rhs, batch + rhs.shape[-2:]).copy()
    for i in range(size) if lower else reversed(range(size)):
        known = slice(i) if lower else slice(i + 1, size)
        x[..., i, :] -= (matrix[..., i : i + 1, known] @ x[..., known, :])[..., 0, :]
        x[..., i, :] /= matrix[..., i, i, np.newaxis]
    return x


TriangularSolve.run = _triangular_solve


@MatrixSolve.pullback
def _(
    g: Tensor,
    wanted: Sequence[bool],
    matrix: Tensor,
    out: Tensor,
    matrix_shape: Shape,
    rhs_shape: Shape,
    out_shape: Shape,
    transpose: bool,
) -> tuple[Tensor | None, Tensor]:
    d = MatrixSolve(matrix, g, transpose=not transpose)
    by_matrix = _from_matrix(d, out, matrix_shape, out_shape, transpose) if wanted[0] else None
    return by_matrix, SumTo(d, shape=rhs_shape, rank=len(out_shape))


def _from_matrix(d: Tensor, out: Tensor, shape: Shape, out_shape: Shape, transpose: bool) -> Tensor:
    """The gradient for the matrix of linear equations, from the one for the right-hand side."""
    product = times(out, d, False, True) if transpose else times(d, out, False, True)
    return SumTo(-product, shape=shape, rank=len(out_shape))


@TriangularSolve.pullback
def _(
    g: Tensor,
    wanted: Sequence[bool],
    matrix: Tensor,
    out: Tensor,
    matrix_shape: Shape,
    rhs_shape: Shape,
    out_shape: Shape,
    lower: bool,
    transpose: bool,
) -> tuple[Tensor | None, Tensor]:
    d = TriangularSolve(matrix, g, lower=lower, transpose=not transpose)
    by_matrix = None
    if wanted[0]:
        whole = _from_matrix(d, out, matrix_shape, out_shape, transpose)
        by_matrix = MatrixBandPart(
            whole, num_lower=-1 if lower else 0, num_upper=0 if lower else -1
        )
    return by_matrix, SumTo(d, shape=rhs_shape, rank=len(out_shape))


@public("linalg.solve")
def solve(
    matrix: NumericLike, rhs: NumericLike, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """Solve matrix X = rhs for X, or with ``adjoint`` the adjoint of the matrix times X = rhs.

    >>> import cinta as tf
    >>> tf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[1.0], [2.0]]).numpy()
    array([[0.5],
           [0.5]], dtype=float32)

    Args:
        matrix: Square matrices, in the last two axes.
        rhs: The right-hand sides, as columns.
        adjoint: Whether to take the adjoint of the matrix.

    Raises:
        InvalidArgumentError: If a matrix is singular or not square, or the shapes do not fit.
    """
    adjoint = flag(adjoint, "adjoint")
    a, b = _equations("MatrixSolve", matrix, rhs)
    left, right = a._array.shape, b._array.shape
    if left[:-2] != right[:-2]:
        raise InvalidArgumentError(
            f"The matrices and the right-hand sides must come in equal numbers, got shapes "
            f"{written(left)} and {written(right)} [Op:MatrixSolve]"
        )
    return MatrixSolve(Conj(a) if adjoint else a, b, transpose=adjoint)


def _equations(op: str, matrix: NumericLike, rhs: NumericLike) -> tuple[Tensor, Tensor]:
    a, b = match(op, matrix, rhs)
    square(op, a)
    matrices(op, b)
    left, right = a._array.shape, b._array.shape
    if left[-1] != right[-2]:
        raise InvalidArgumentError(
            f"Input matrix and rhs are incompatible: {written(left)} and {written(right)} have "
            f"{left[-1]} and {right[-2]} rows [Op:{op}]"
        )
    return a, b


@public("linalg.triangular_solve")
def triangular_solve(
    matrix: NumericLike,
    rhs: NumericLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Solve matrix X = rhs for X, where only the lower or only the upper triangle is read.

    >>> import cinta as tf
    >>> tf.linalg.triangular_solve([[2.0, 9.0], [0.0, 4.0]], [[1.0], [2.0]]).numpy()
    array([[0.5],
           [0.5]], dtype=float32)

    Args:
        matrix: Square matrices, in the last two axes.
        rhs: The right-hand sides, as columns.
        lower: Whether the lower triangle is read.
        adjoint: Whether to solve with the adjoint of that triangle.

    Raises:
        InvalidArgumentError: If the shapes do not fit.
    """
    a, b = _equations("MatrixTriangularSolve", matrix, rhs)
    adjoint = flag(adjoint, "adjoint")
    common_shape("MatrixTriangularSolve", a._array.shape[:-2], b._array.shape[:-2])
    return TriangularSolve(
        Conj(a) if adjoint else a, b, lower=flag(lower, "lower"), transpose=adjoint
    )
