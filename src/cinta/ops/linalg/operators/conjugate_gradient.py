"""Systems of equations solved by products with their matrix alone.

Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems" (1952).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....engine.convert import as_tensor
from ....public import public
from ...arguments import number, whole_number
from ...arrays.shaping import expand_dims
from ...elementwise.complex_numbers import conj, real
from ...reductions.norms import norm
from ...reductions.reduction import reduce_any, reduce_sum
from .base import LinearOperator

if TYPE_CHECKING:
    from ....engine.annotations import IntLike, NumericLike
    from ....engine.tensor import Tensor


class ConjugateGradients(NamedTuple):
    """Where it ended: steps, solution, residual, direction, squared size of the residual."""

    i: Tensor
    x: Tensor
    r: Tensor
    p: Tensor
    gamma: Tensor


@public("linalg.experimental.conjugate_gradient")
def conjugate_gradient(
    operator: LinearOperator,
    rhs: NumericLike,
    preconditioner: LinearOperator | None = None,
    x: NumericLike | None = None,
    tol: NumericLike = 1e-5,
    max_iter: IntLike = 20,
    name: str = "conjugate_gradient",
) -> ConjugateGradients:
    """Solve ``operator x = rhs`` for vectors, by at most ``max_iter`` products with the operator.

    The operator must say that it is self-adjoint and positive definite. It ends when the residual
    is smaller than ``tol`` times the first one.

    >>> import cinta as tf
    >>> matrix = tf.linalg.LinearOperatorFullMatrix(
    ...     [[4.0, 1.0], [1.0, 3.0]], is_self_adjoint=True, is_positive_definite=True
    ... )
    >>> tf.linalg.experimental.conjugate_gradient(matrix, [1.0, 2.0]).x.numpy().round(4)
    array([0.0909, 0.6364], dtype=float32)

    Args:
        operator: A ``tf.linalg.LinearOperator``.
        rhs: The right-hand sides.
        preconditioner: An operator that is near the inverse of the first one; None for none.
        x: Where to begin; None for zeros.
        tol: When to end.
        max_iter: After how many products to end in any case.

    Raises:
        ValueError: If the operator does not say that it is self-adjoint and positive definite.
    """
    _check_operator(operator, "operator")
    if preconditioner is not None:
        _check_operator(preconditioner, "preconditioner")
    if not (operator.is_self_adjoint and operator.is_positive_definite):
        raise ValueError("Expected a self-adjoint, positive definite operator.")
    most, r = whole_number(max_iter, "max_iter"), as_tensor(rhs, operator.dtype.dtype)
    x = r * 0 if x is None else as_tensor(x, r.dtype.dtype)
    r = r - operator.matvec(x)
    p = r if preconditioner is None else preconditioner.matvec(r)
    state = ConjugateGradients(as_tensor(0), x, r, p, _dot(r, p))
    enough = number(tol, "tol") * _size(r)
    while state.i < most and reduce_any(_size(state.r) > enough):
        state = _step(operator, preconditioner, state)
    return state


def _check_operator(given: object, argument: str) -> None:
    if not isinstance(given, LinearOperator):
        raise TypeError(f"{argument} must be a tf.linalg.LinearOperator, got {given!r}.")


def _step(
    operator: LinearOperator, preconditioner: LinearOperator | None, state: ConjugateGradients
) -> ConjugateGradients:
    i, x, r, p, gamma = state
    image = operator.matvec(p)
    alpha = expand_dims(gamma / _dot(p, image), -1)
    x, r = x + alpha * p, r - alpha * image
    q = r if preconditioner is None else preconditioner.matvec(r)
    new = _dot(r, q)
    return ConjugateGradients(i + 1, x, r, q + expand_dims(new / gamma, -1) * p, new)


def _size(x: Tensor) -> Tensor:
    return real(norm(x, axis=-1))


def _dot(x: Tensor, y: Tensor) -> Tensor:
    return reduce_sum(conj(x) * y, axis=-1)
