"""Operators of which only the diagonal is not zero, or nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from .... import dtypes
from ....engine.arrays import truth
from ....engine.convert import as_tensor
from ....engine.variable import is_variable
from ....public import public
from ...arrays.creation import ones, zeros
from ...arrays.shaping import expand_dims
from ...arrays.tiling import broadcast_to
from ...elementwise.casting import cast
from ...elementwise.complex_numbers import conj
from ...elementwise.unary import abs, log, sqrt
from ...reductions.reduction import reduce_prod, reduce_sum
from ..diagonals import diag
from .base import LinearOperator
from .hints import agreed
from .lengths import checked_batch, checked_length

if TYPE_CHECKING:
    from ....engine.annotations import DTypeLike, IntLike, NumericLike, ShapeLike
    from ....engine.shapes import Shape
    from ....engine.tensor import Tensor
    from ....engine.variable import Variable


def tensor_or_variable(value: Any) -> Tensor | Variable:
    """A variable as it is, so that the operator changes with it; all else as a tensor."""
    return value if is_variable(value) else as_tensor(value)


class DiagonalOperator(LinearOperator):
    """The base of operators with zeros everywhere but on the diagonal."""

    def _values(self) -> Tensor:
        """The diagonal, batches in front, in a shape that is broadcast to that of the diagonal."""
        raise NotImplementedError(f"{type(self).__name__} must say its diagonal.")

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        values = self._values()
        return expand_dims(conj(values) if adjoint else values, -1) * x

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        values = self._values()
        return rhs / expand_dims(conj(values) if adjoint else values, -1)

    def _to_dense(self) -> Tensor:
        return diag(self._diag_part())

    def _diag_part(self) -> Tensor:
        return broadcast_to(self._values(), self._lengths()[:-1])

    def _eigvals(self) -> Tensor:
        return self._diag_part()

    def _log_abs_determinant(self) -> Tensor:
        logs = reduce_sum(log(abs(self._diag_part())), -1)
        return cast(logs, self.dtype)


@public("linalg.LinearOperatorDiag")
class LinearOperatorDiag(DiagonalOperator):
    """A diagonal matrix, with ``diag`` on its diagonal.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).to_dense().numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"diag": 1}

    def __init__(
        self,
        diag: NumericLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorDiag",
    ) -> None:
        self.diag = tensor_or_variable(diag)
        if not len(self.diag.shape):
            raise ValueError("Argument `diag` must have at least 1 dimension, got a scalar.")
        is_real = not self.diag.dtype.is_complex or None
        super().__init__(
            self.diag.dtype,
            None,
            is_non_singular,
            agreed("is_self_adjoint", is_self_adjoint, is_real),
            is_positive_definite,
            True if is_square is None else is_square,
            name,
        )

    def _lengths(self) -> Shape:
        shape = tuple(self.diag.shape)
        return (*shape, shape[-1])

    def _values(self) -> Tensor:
        return as_tensor(self.diag)

    def _determinant(self) -> Tensor:
        return reduce_prod(self._values(), -1)

    def _inverse(self) -> LinearOperator:
        return LinearOperatorDiag(
            1.0 / self._values(),
            is_self_adjoint=self.is_self_adjoint,
            is_positive_definite=self.is_positive_definite,
        )

    def _adjoint(self) -> LinearOperator:
        return LinearOperatorDiag(conj(self._values()), is_non_singular=self.is_non_singular)

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorDiag(sqrt(self._values()))


@public("linalg.LinearOperatorScaledIdentity")
class LinearOperatorScaledIdentity(DiagonalOperator):
    """A multiple of the identity, with ``num_rows`` rows.

    ``multiplier`` is a number or a batch of numbers.

    ``assert_proper_shapes`` changes nothing, as shapes are always checked.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorScaledIdentity(3, multiplier=2.0).trace().numpy()
    np.float32(6.0)
    """

    batched: ClassVar[dict[str, int]] = {"multiplier": 0}

    def __init__(
        self,
        num_rows: IntLike,
        multiplier: NumericLike,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorScaledIdentity",
    ) -> None:
        truth(assert_proper_shapes, "assert_proper_shapes")
        self.multiplier = tensor_or_variable(multiplier)
        self._num_rows = checked_length(num_rows, "num_rows")
        if not self.multiplier.dtype.is_numeric:
            raise TypeError(f"Argument `multiplier` must be a number, got {multiplier!r}.")
        is_real = not self.multiplier.dtype.is_complex or None
        _check_square(is_square)
        super().__init__(
            self.multiplier.dtype,
            None,
            is_non_singular,
            agreed("is_self_adjoint", is_self_adjoint, is_real),
            is_positive_definite,
            True,
            name,
        )

    def _lengths(self) -> Shape:
        return (*tuple(self.multiplier.shape), self._num_rows, self._num_rows)

    def _values(self) -> Tensor:
        return expand_dims(as_tensor(self.multiplier), -1)

    def _determinant(self) -> Tensor:
        return as_tensor(self.multiplier) ** self._num_rows

    def _inverse(self) -> LinearOperator:
        inverse = 1.0 / as_tensor(self.multiplier)
        return LinearOperatorScaledIdentity(self._num_rows, inverse)

    def _adjoint(self) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._num_rows, conj(as_tensor(self.multiplier)))

    def _cholesky(self) -> LinearOperator:
        return LinearOperatorScaledIdentity(self._num_rows, sqrt(as_tensor(self.multiplier)))


@public("linalg.LinearOperatorIdentity")
class LinearOperatorIdentity(DiagonalOperator):
    """The identity, with ``num_rows`` rows; ``batch_shape`` makes a batch of it.

    ``assert_proper_shapes`` changes nothing, as shapes are always checked.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorIdentity(2).matvec([3.0, 4.0]).numpy()
    array([3., 4.], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"_batch": 0}

    def __init__(
        self,
        num_rows: IntLike,
        batch_shape: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        is_non_singular: bool | None = True,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = True,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorIdentity",
    ) -> None:
        truth(assert_proper_shapes, "assert_proper_shapes")
        if not (is_self_adjoint and is_non_singular and is_positive_definite):
            raise ValueError(
                "An identity operator is always self-adjoint and positive definite; it is always "
                "non-singular."
            )
        _check_square(is_square)
        self._num_rows = checked_length(num_rows, "num_rows")
        self._batch = checked_batch(batch_shape)
        kind = dtypes.float32 if dtype is None else dtype
        super().__init__(kind, None, True, True, True, True, name)

    def _lengths(self) -> Shape:
        return (*self._batch, self._num_rows, self._num_rows)

    def _values(self) -> Tensor:
        return ones([*self._batch, 1], self.dtype)

    def _inverse(self) -> LinearOperator:
        return self

    def _cholesky(self) -> LinearOperator:
        return self


@public("linalg.LinearOperatorZeros")
class LinearOperatorZeros(LinearOperator):
    """A matrix of zeros, ``num_rows`` by ``num_columns``; None stands for a square one.

    ``batch_shape`` makes a batch of it. ``assert_proper_shapes`` changes nothing, as shapes are
    always checked.

    >>> import cinta as tf
    >>> tf.linalg.LinearOperatorZeros(2, 3).to_dense().numpy()
    array([[0., 0., 0.],
           [0., 0., 0.]], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"_shape": 2}

    def __init__(
        self,
        num_rows: IntLike,
        num_columns: IntLike | None = None,
        batch_shape: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        is_non_singular: bool | None = False,
        is_self_adjoint: bool | None = True,
        is_positive_definite: bool | None = False,
        is_square: bool | None = True,
        assert_proper_shapes: bool = False,
        name: str = "LinearOperatorZeros",
    ) -> None:
        truth(assert_proper_shapes, "assert_proper_shapes")
        if is_non_singular or is_positive_definite:
            raise ValueError("A zero operator is neither non-singular nor positive definite.")
        rows = checked_length(num_rows, "num_rows")
        columns = rows if num_columns is None else checked_length(num_columns, "num_columns")
        batch = checked_batch(batch_shape)
        self._shape = (*batch, rows, columns)
        square = rows == columns
        kind = dtypes.float32 if dtype is None else dtype
        super().__init__(kind, None, False, is_self_adjoint and square, False, square, name)

    def _lengths(self) -> Shape:
        return self._shape

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        batch = np.broadcast_shapes(self._shape[:-2], x._array.shape[:-2])
        rows = self._shape[-1 if adjoint else -2]
        return zeros([*batch, rows, x._array.shape[-1]], self.dtype)

    def _to_dense(self) -> Tensor:
        return zeros(self._shape, self.dtype)

    def _adjoint(self) -> LinearOperator:
        *batch, rows, columns = self._shape
        return LinearOperatorZeros(columns, rows, batch, self.dtype)


def _check_square(is_square: bool | None) -> None:
    if not is_square:
        raise ValueError("An identity operator, or a multiple of it, is always square.")
