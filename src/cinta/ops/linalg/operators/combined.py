"""Operators made of others: products, blocks, inverses, adjoints."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ....engine.shapes import written
from ....public import public
from ...arguments import listed
from ...arrays.shaping import matrix_transpose
from ...elementwise.complex_numbers import conj
from .base import LinearOperator, checked_operator
from .hints import agreed, agreed_with, non_singular

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....engine.shapes import Shape
    from ....engine.tensor import Tensor


def checked(operators: object) -> list[LinearOperator]:
    """The operators, of which there must be some, all of one dtype."""
    given = [checked_operator(each, "operators") for each in listed(operators, "operators")]
    if not given:
        raise ValueError("Argument `operators` must be a non-empty list of operators.")
    if len({operator.dtype for operator in given}) > 1:
        each = ", ".join(f"{operator.name}: {operator.dtype.name}" for operator in given)
        raise TypeError(f"Expected all operators to have the same dtype. Found: {each}")
    return given


def batch_of(operators: Sequence[LinearOperator]) -> Shape:
    return np.broadcast_shapes(*[operator._lengths()[:-2] for operator in operators])


@public("linalg.LinearOperatorComposition")
class LinearOperatorComposition(LinearOperator):
    """The product of operators: the last one acts first.

    >>> import cinta as tf
    >>> twice = tf.linalg.LinearOperatorDiag([2.0, 3.0])
    >>> tf.linalg.LinearOperatorComposition([twice, twice]).matvec([1.0, 1.0]).numpy()
    array([4., 9.], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"operators": 0}

    def __init__(
        self,
        operators: object,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self.operators = checked(operators)
        for left, right in zip(self.operators, self.operators[1:], strict=False):
            if left._width != right._height:
                raise ValueError(
                    f"Dimensions {written(left._lengths())} and {written(right._lengths())} of "
                    "operators next to each other are not compatible."
                )
        known = non_singular(self.operators)
        mirrored = _are_mirrored(self.operators)
        symmetric = mirrored and _middle_is(self.operators, "is_self_adjoint")
        definite = mirrored and known and _middle_is(self.operators, "is_positive_definite")
        hints = {
            "is_non_singular": agreed("is_non_singular", is_non_singular, known),
            "is_self_adjoint": agreed("is_self_adjoint", is_self_adjoint, symmetric or None),
            "is_positive_definite": agreed(
                "is_positive_definite", is_positive_definite, definite or None
            ),
        }
        name = name or "_o_".join(operator.name for operator in self.operators)
        super().__init__(self.operators[0].dtype, is_square=is_square, name=name, **hints)

    def _lengths(self) -> Shape:
        rows, columns = self.operators[0]._height, self.operators[-1]._width
        return (*batch_of(self.operators), rows, columns)

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        for operator in self.operators if adjoint else reversed(self.operators):
            x = operator.matmul(x, adjoint=adjoint)
        return x

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        for operator in reversed(self.operators) if adjoint else self.operators:
            rhs = operator.solve(rhs, adjoint=adjoint)
        return rhs

    def _determinant(self) -> Tensor:
        if not all(operator.is_square for operator in self.operators):
            return super()._determinant()
        return reduce(lambda a, b: a * b, [each.determinant() for each in self.operators])

    def _log_abs_determinant(self) -> Tensor:
        if not all(operator.is_square for operator in self.operators):
            return super()._log_abs_determinant()
        return reduce(lambda a, b: a + b, [each.log_abs_determinant() for each in self.operators])


def _are_mirrored(operators: Sequence[LinearOperator]) -> bool:
    """Whether a product is one like ``A B B^H A^H``, or like ``A C A^H``."""
    middle, odd = divmod(len(operators), 2)
    pairs = zip(operators[:middle], reversed(operators[middle + odd :]), strict=True)
    return all(_are_adjoint(first, last) for first, last in pairs)


def _middle_is(operators: Sequence[LinearOperator], hint: str) -> bool:
    """Whether something is known of C there; or there is only A, B and their adjoints."""
    middle, odd = divmod(len(operators), 2)
    return not odd or bool(getattr(operators[middle], hint))


def _are_adjoint(first: LinearOperator, last: LinearOperator) -> bool:
    """Whether one is known to be the adjoint of the other."""
    if first is last:
        return bool(first.is_self_adjoint)
    return (isinstance(last, LinearOperatorAdjoint) and last.operator is first) or (
        isinstance(first, LinearOperatorAdjoint) and first.operator is last
    )


@public("linalg.LinearOperatorAdjoint")
class LinearOperatorAdjoint(LinearOperator):
    """The conjugate transpose of an operator.

    >>> import cinta as tf
    >>> matrix = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.linalg.LinearOperatorAdjoint(matrix).to_dense().numpy()
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"operator": 0}

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self.operator = checked_operator(operator, "operator")
        hints = agreed_with(
            operator,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
        )
        name = name or f"{operator.name}_adjoint"
        super().__init__(operator.dtype, is_square=is_square, name=name, **hints)

    def _lengths(self) -> Shape:
        *batch, rows, columns = self.operator._lengths()
        return (*batch, columns, rows)

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        return self.operator._matmul(x, not adjoint)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return self.operator._solve(rhs, not adjoint)

    def _to_dense(self) -> Tensor:
        return matrix_transpose(self.operator.to_dense(), conjugate=True)

    def _diag_part(self) -> Tensor:
        return conj(self.operator.diag_part())

    def _determinant(self) -> Tensor:
        return conj(self.operator.determinant())

    def _log_abs_determinant(self) -> Tensor:
        return self.operator.log_abs_determinant()

    def _adjoint(self) -> LinearOperator:
        return self.operator


@public("linalg.LinearOperatorInversion")
class LinearOperatorInversion(LinearOperator):
    """The inverse of an operator: it multiplies by solving.

    >>> import cinta as tf
    >>> matrix = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [0.0, 4.0]])
    >>> tf.linalg.LinearOperatorInversion(matrix).matvec([3.0, 4.0]).numpy()
    array([1., 1.], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"operator": 0}

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self.operator = checked_operator(operator, "operator")
        if is_non_singular is False or operator.is_non_singular is False or not operator.is_square:
            raise ValueError(
                "The inverse of an operator, and the operator, must be non-singular: "
                "is_non_singular cannot be `False`."
            )
        hints = agreed_with(
            operator, is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite
        )
        name = name or f"{operator.name}_inv"
        super().__init__(operator.dtype, None, True, is_square=is_square, name=name, **hints)

    def _lengths(self) -> Shape:
        return self.operator._lengths()

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        found: Tensor = self.operator.solve(x, adjoint=adjoint)
        return found

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return self.operator._matmul(rhs, adjoint)

    def _determinant(self) -> Tensor:
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self) -> Tensor:
        return -self.operator.log_abs_determinant()

    def _inverse(self) -> LinearOperator:
        return self.operator
