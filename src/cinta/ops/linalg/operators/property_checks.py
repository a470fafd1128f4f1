"""Properties of linear operators, checked by their matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....errors import InvalidArgumentError
from ...arrays.shaping import matrix_transpose
from ...checks.assertions import assert_equal, assert_less
from ...checks.sign_assertions import assert_positive
from ...elementwise.complex_numbers import real
from ..cholesky import cholesky
from ..diagonals import diag_part

if TYPE_CHECKING:
    from .base import LinearOperator

_LEAST = 100
"""The rows for which rounding is allowed in any matrix."""


def assert_non_singular(operator: LinearOperator) -> None:
    """Refuse an operator whose condition number is beyond the precision of its dtype."""
    rows = max(_LEAST, *operator.shape[-2:])
    limit = 1 / (rows * np.finfo(operator.dtype.dtype).eps)
    condition = real(operator.cond())
    assert_less(
        condition,
        condition.dtype.dtype.type(limit),
        message="Singular operator: its condition number is too large for its dtype.",
    )


def assert_self_adjoint(operator: LinearOperator) -> None:
    """Refuse an operator whose matrix is not its own conjugate transpose."""
    matrix = operator.to_dense()
    assert_equal(
        matrix,
        matrix_transpose(matrix, conjugate=True),
        message="The operator is not self-adjoint: its matrix was not equal to its adjoint.",
    )


def assert_positive_definite(operator: LinearOperator) -> None:
    """Refuse an operator A for which the real part of x*Ax is not positive for some x."""
    matrix = operator.to_dense()
    message = "The operator is not positive definite: its matrix has no Cholesky factor."
    try:
        factor = cholesky((matrix + matrix_transpose(matrix, conjugate=True)) / 2)
    except InvalidArgumentError as error:
        raise InvalidArgumentError(f"{message} {error}") from None
    assert_positive(real(diag_part(factor)), message=message)
