"""An operator and a matrix of low rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ....engine.convert import as_tensor
from ....engine.shapes import written
from ....public import public
from ...arrays.creation import ones
from ...arrays.shaping import matrix_transpose
from ...elementwise.complex_numbers import conj
from ...elementwise.unary import abs, log
from ...reductions.reduction import reduce_prod, reduce_sum
from ..determinants import det, slogdet
from ..diagonals import diag
from ..solving import solve
from .base import LinearOperator, checked_operator
from .hints import agreed
from .shapes import same_batch

if TYPE_CHECKING:
    from ....engine.annotations import NumericLike
    from ....engine.shapes import Shape
    from ....engine.tensor import Tensor


@public("linalg.LinearOperatorLowRankUpdate")
class LinearOperatorLowRankUpdate(LinearOperator):
    """``L + U D V^H``: an operator and a matrix of low rank, D diagonal.

    L is ``base_operator``, U and V are ``u`` and ``v`` (None for U), and ``diag_update`` is the
    diagonal of D (None for ones). ``is_diag_update_positive`` hints that it is positive.

    Equations are solved by those of ``L`` and of a matrix as small as the rank.

    >>> import cinta as tf
    >>> base = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    >>> tf.linalg.LinearOperatorLowRankUpdate(base, [[1.0], [1.0]]).to_dense().numpy()
    array([[2., 1.],
           [1., 3.]], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"base_operator": 0, "u": 2, "diag_update": 1, "v": 2}

    def __init__(
        self,
        base_operator: LinearOperator,
        u: NumericLike,
        diag_update: NumericLike | None = None,
        v: NumericLike | None = None,
        is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        self.base_operator = checked_operator(base_operator, "base_operator")
        kind = base_operator.dtype.dtype
        self.u, self.diag_update, self.v = [
            each if each is None or hasattr(each, "dtype") else as_tensor(each, kind)
            for each in (u, diag_update, v)
        ]
        symmetric = v is None and bool(base_operator.is_self_adjoint)
        positive = is_diag_update_positive or diag_update is None
        definite = symmetric and positive and bool(base_operator.is_positive_definite)
        self.is_diag_update_positive = positive or None
        hints = (
            is_non_singular,
            agreed("is_self_adjoint", is_self_adjoint, symmetric or None),
            agreed("is_positive_definite", is_positive_definite, definite or None),
            is_square,
        )
        super().__init__(base_operator.dtype, None, *hints, name)
        self._check_shapes()

    def _check_shapes(self) -> None:
        u, d, v = [each._array.shape for each in self._factors()]
        rows, columns = self.base_operator._lengths()[-2:]
        if (u[-2], v[-2]) != (rows, columns):
            raise ValueError(
                f"The base operator, {rows} by {columns}, is not compatible with u and v, of "
                f"shapes {written(u)} and {written(v)}: u must have as many rows as it has, and v "
                "as many as it has columns."
            )
        if not d or not u[-1] == d[-1] == v[-1]:
            raise ValueError(
                f"diag_update, of shape {written(d)}, is not compatible with u and v, of shapes "
                f"{written(u)} and {written(v)}: their last axes must be of one length, the rank."
            )
        try:
            self._lengths()
        except ValueError as error:
            raise ValueError(
                f"Incompatible shapes of the batches of u, v and diag_update, {written(u)}, "
                f"{written(v)} and {written(d)}, and of the base operator, "
                f"{written(self.base_operator._lengths())}: {error}"
            ) from None

    def _factors(self) -> tuple[Tensor, Tensor, Tensor]:
        """U, the diagonal of D, and V."""
        u = self._factor("u")
        v = u if self.v is None else self._factor("v")
        if self.diag_update is None:
            return u, ones([u._array.shape[-1]], self.dtype), v
        return u, as_tensor(self.diag_update, self.dtype.dtype), v

    def _factor(self, name: str) -> Tensor:
        factor = as_tensor(getattr(self, name), self.dtype.dtype)
        if factor._array.ndim < 2:
            raise ValueError(
                f"Argument `{name}` must be a matrix, or several, not of shape "
                f"{written(factor._array.shape)}."
            )
        return factor

    def _lengths(self) -> Shape:
        *batch, rows, columns = self.base_operator._lengths()
        u, d, v = self._factors()
        shapes = [u._array.shape[:-2], d._array.shape[:-1], v._array.shape[:-2], tuple(batch)]
        return (*np.broadcast_shapes(*shapes), rows, columns)

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        u, d, v = self._factors()
        if adjoint:
            u, d, v = v, conj(d), u
        update = u @ (d[..., None] * (matrix_transpose(v, conjugate=True) @ x))
        return self.base_operator._matmul(x, adjoint) + update

    def _capacitance(self) -> Tensor:
        """The small matrix: the inverse of D, and what L's inverse makes of U, seen from V."""
        u, d, v = self._factors()
        seen: Tensor = matrix_transpose(v, conjugate=True) @ self.base_operator.solve(u)
        return diag(1.0 / d) + seen

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        u, _, v = self._factors()
        small = self._capacitance()
        if adjoint:
            u, v, small = v, u, matrix_transpose(small, conjugate=True)
        first = self.base_operator.solve(rhs, adjoint=adjoint)
        seen = matrix_transpose(v, conjugate=True) @ first
        small, seen = same_batch(small, seen)
        rest = u @ solve(small, seen)
        solution: Tensor = first - self.base_operator.solve(rest, adjoint=adjoint)
        return solution

    def _determinant(self) -> Tensor:
        _, d, _ = self._factors()
        small = det(self._capacitance()) * reduce_prod(d, -1)
        return self.base_operator.determinant() * small

    def _log_abs_determinant(self) -> Tensor:
        _, d, _ = self._factors()
        small = slogdet(self._capacitance())[1] + reduce_sum(log(abs(d)), -1)
        total: Tensor = self.base_operator.log_abs_determinant() + small
        return total
