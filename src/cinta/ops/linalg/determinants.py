"""Inverses and determinants."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...dtypes import float16, float32
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...public import public
from ..arguments import flag
from ..elementwise.casting import cast
from ..elementwise.complex_numbers import real
from ..elementwise.unary import log
from ..reductions.reduction import reduce_sum
from . import matmul
from .cholesky import cholesky
from .diagonals import diag_part
from .solving import invertible, square, times, transposed

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@op("MatrixInverse", rowwise=True)
def MatrixInverse(xp: ArrayModule, input: Array) -> Array:
    """The inverses of square matrices."""
    result: Array = invertible(xp.linalg.inv, input, what="Input")
    return result


@MatrixInverse.fails_if
def _(xp: ArrayModule, out: Array, input: Array) -> Array:
    return ~xp.all(xp.isfinite(out))


MatrixInverse.grads(input=lambda g, out: -times(times(out, g, transpose_a=True), out, False, True))


@op("MatrixDeterminant", rowwise=True)
def MatrixDeterminant(xp: ArrayModule, input: Array) -> Array:
    """The determinants of square matrices."""
    with np.errstate(all="ignore"):
        return _known(xp, input, xp.linalg.det(input))


@op("LogMatrixDeterminant", rowwise=True)
def LogMatrixDeterminant(xp: ArrayModule, input: Array) -> tuple[Array, Array]:
    """The determinants' signs and the logarithms of their absolute values."""
    with np.errstate(all="ignore"):
        sign, logarithm = xp.linalg.slogdet(input)
    return _known(xp, input, sign), _known(xp, input, logarithm.astype(input.dtype))


def _known(xp: ArrayModule, matrices: Array, found: Array) -> Array:
    """The numbers found for matrices: NaN for those with a NaN, of which LAPACK may lose sight."""
    result: Array = xp.where(xp.isnan(matrices).any(axis=(-2, -1)), np.nan, found)
    return result.astype(found.dtype)


def _as_matrix(g: Tensor) -> Tensor:
    """A gradient of one number per matrix, to be broadcast against the matrices."""
    return Reshape(g, shape=(*tuple(g.shape), 1, 1))


MatrixDeterminant.grads(
    input=lambda g, input, out: _as_matrix(g * out) * transposed(MatrixInverse(input))
)


LogMatrixDeterminant.grads(
    input=lambda g, input: _as_matrix(g[1]) * transposed(MatrixInverse(input))
)


@public("linalg.inv")
def inv(input: NumericLike, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of each matrix, or with ``adjoint`` that of its adjoint.

    >>> import cinta as tf
    >>> tf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)

    That of matrices of float16 is computed in float32.

    Args:
        input: Square matrices, in the last two axes.
        adjoint: Whether to take the adjoint first.

    Raises:
        InvalidArgumentError: If a matrix is singular or not square.
    """
    given = as_tensor(input)
    if given.dtype is float16:
        return cast(inv(cast(given, float32), adjoint), float16)
    x = square("MatrixInverse", given)
    return on_one(MatrixInverse, matmul.adjoint(x) if flag(adjoint, "adjoint") else x)


@public("linalg.det")
def det(input: NumericLike, name: str | None = None) -> Tensor:
    """The determinant of each matrix.

    >>> import cinta as tf
    >>> tf.linalg.det([[2.0, 0.0], [0.0, 4.0]]).numpy()
    np.float32(8.0)

    Args:
        input: Square matrices, in the last two axes.

    Raises:
        InvalidArgumentError: If they are not square.
    """
    return on_one(MatrixDeterminant, square("MatrixDeterminant", input))


class SignAndLogarithm(NamedTuple):
    """The result of `tf.linalg.slogdet`."""

    sign: Tensor
    log_abs_determinant: Tensor


@public("linalg.slogdet")
def slogdet(input: NumericLike, name: str | None = None) -> SignAndLogarithm:
    """The sign of each matrix's determinant, and the logarithm of its absolute value.

    >>> import cinta as tf
    >>> sign, logarithm = tf.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> sign.numpy(), logarithm.numpy()
    (np.float32(-1.0), np.float32(0.0))
    >>> tf.linalg.slogdet([[2.0]]).sign.numpy()
    np.float32(1.0)

    Args:
        input: Square matrices, in the last two axes.

    Raises:
        InvalidArgumentError: If they are not square.
    """
    return SignAndLogarithm(*LogMatrixDeterminant(square("LogMatrixDeterminant", input)))


@public("linalg.logdet")
def logdet(matrix: NumericLike, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of a symmetric positive definite matrix.

    >>> import cinta as tf
    >>> tf.linalg.logdet([[1.0, 0.0], [0.0, 1.0]]).numpy()
    np.float32(0.0)
    """
    return 2.0 * reduce_sum(log(real(diag_part(cholesky(matrix)))), -1)
