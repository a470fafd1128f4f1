"""Functions of matrices that take operators: ``tf.matmul(operator, x)`` and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.dispatch import ask
from ...arrays.shaping import matrix_transpose
from ..cholesky import cholesky
from ..determinants import det, inv, logdet
from ..diagonals import diag_part, trace
from ..matmul import adjoint, matmul
from ..solving import solve
from .composites import MadeOfTensors

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....engine.annotations import NumericLike
    from ....engine.dispatch import Value
    from ....engine.tensor import Tensor
    from .base import LinearOperator


def _matmul(
    a: Value,
    b: Value,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Value:
    """The product of an operator and matrices, in any order."""
    if transpose_a or transpose_b:
        raise ValueError("Operators have no transposes: use adjoint_a and adjoint_b.")
    if isinstance(a, MadeOfTensors):
        left: Value = a
        return left.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b)
    turned: Tensor = b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a)
    return matrix_transpose(turned, conjugate=True)


def _solve(
    matrix: LinearOperator, rhs: NumericLike, adjoint: bool = False, name: str | None = None
) -> Value:
    if not isinstance(matrix, MadeOfTensors):
        raise ValueError(
            f"tf.linalg.solve takes an operator as `matrix` only, but `rhs` is {rhs!r}. Use "
            "matrix = tf.linalg.LinearOperatorFullMatrix(matrix)."
        )
    return matrix.solve(rhs, adjoint=adjoint)


def _inv(input: LinearOperator, adjoint: bool = False, name: str | None = None) -> LinearOperator:
    inverse = input.inverse()
    return inverse.adjoint() if adjoint else inverse


def _logdet(matrix: LinearOperator, name: str | None = None) -> Tensor:
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError(
            "Expected matrix to be self-adjoint positive definite: give the operator "
            "is_self_adjoint=True and is_positive_definite=True if it is."
        )
    return matrix.log_abs_determinant()


def _cholesky(input: LinearOperator, name: str | None = None) -> LinearOperator:
    return input.cholesky()


def _adjoint(matrix: LinearOperator, name: str | None = None) -> LinearOperator:
    return matrix.adjoint()


def _det(input: LinearOperator, name: str | None = None) -> Tensor:
    return input.determinant()


def _trace(x: LinearOperator, name: str | None = None) -> Tensor:
    return x.trace()


def _diag_part(input: LinearOperator, name: str = "diag_part") -> Tensor:
    return input.diag_part()


ANSWERS: dict[Callable[..., Value], Callable[..., Value]] = {
    adjoint: _adjoint,
    cholesky: _cholesky,
    det: _det,
    diag_part: _diag_part,
    inv: _inv,
    logdet: _logdet,
    matmul: _matmul,
    solve: _solve,
    trace: _trace,
}
"""The functions, and those that answer in their place, with the arguments that make sense there."""

for _function in ANSWERS:
    ask(_function)
