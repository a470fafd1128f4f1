"""Cholesky factors, and systems of linear equations solved by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Conj
from ...public import public
from .diagonal_ops import MatrixBandPart
from .solving import TriangularSolve, one_by_one, square, times, transposed, triangular_solve

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@op("Cholesky", rowwise=True)
def Cholesky(xp: ArrayModule, input: Array) -> Array:
    """Lower triangles which times their adjoints give the matrices; nan if there are none."""
    if xp is not np:
        return xp.tril(xp.linalg.cholesky(input, symmetrize_input=False))
    try:
        return np.linalg.cholesky(input)
    except np.linalg.LinAlgError:
        return one_by_one(_cholesky_or_nan, "(n,n)->(n,n)", input)


def _cholesky_or_nan(matrix: Array) -> Array:
    try:
        return np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return np.tril(np.full_like(matrix, np.nan))


def _symmetric(x: Tensor) -> Tensor:
    return (x + Conj(transposed(x))) * 0.5


def _from_factor(g: Tensor, out: Tensor) -> Tensor:
    """L⁻ᴴ Φ(Lᴴ L̄) L⁻¹ made symmetric, where Φ takes the lower triangle with half of the diagonal.

    Murray, "Differentiation of the Cholesky decomposition" (2016).
    """
    middle = MatrixBandPart(times(out, g, transpose_a=True), num_lower=-1, num_upper=0)
    middle = middle - 0.5 * MatrixBandPart(middle, num_lower=0, num_upper=0)
    left = TriangularSolve(out, middle, lower=True, transpose=True)
    right = TriangularSolve(Conj(out), transposed(left), lower=True, transpose=True)
    return _symmetric(transposed(right))


Cholesky.grads(input=_from_factor)


@public("linalg.cholesky")
def cholesky(input: NumericLike, name: str | None = None) -> Tensor:
    """The lower triangle L whose product with its adjoint is the positive definite matrix.

    Only the lower triangle of the input is read; the gradient is symmetric. For a matrix that is
    not positive definite the result is nan.

    >>> import cinta as tf
    >>> tf.linalg.cholesky([[4.0, 0.0], [2.0, 2.0]]).numpy()
    array([[2., 0.],
           [1., 1.]], dtype=float32)
    """
    return on_one(Cholesky, square("Cholesky", input))


@public("linalg.cholesky_solve")
def cholesky_solve(chol: NumericLike, rhs: NumericLike, name: str | None = None) -> Tensor:
    """Solve A X = rhs, given the Cholesky factor of A.

    >>> import cinta as tf
    >>> tf.linalg.cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[4.0], [3.0]]).numpy()
    array([[1.],
           [3.]], dtype=float32)

    Args:
        chol: The lower triangular factor, which ``tf.linalg.cholesky`` gives.
        rhs: The right-hand sides, as columns.
    """
    half = triangular_solve(chol, rhs)
    return triangular_solve(chol, half, adjoint=True)
