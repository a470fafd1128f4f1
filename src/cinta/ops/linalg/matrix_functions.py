"""Functions of whole matrices: exponential, roots, logarithm, pseudo-inverse, least squares."""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor, kept, match
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import BroadcastTo, ConcatV2, Conj, SplitV, ZerosLike
from ...engine.shapes import written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, tensor_of
from ..arrays.creation import eye
from ..reductions.counting import count_nonzero
from ..reductions.reduction import reduce_max
from .cholesky import cholesky, cholesky_solve
from .decompositions import adjoined, svd, svd_or_nan
from .diagonals import matrices
from .matmul import matmul
from .solving import one_by_one, precise, square, times, transposed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


# -- exponential -------------------------------------------------------------------------------


@op("MatrixExponential", rowwise=True)
def MatrixExponential(xp: ArrayModule, input: Array) -> Array:
    """The exponentials of square matrices."""
    with np.errstate(all="ignore"):
        result: Array = import_module("scipy.linalg" if xp is np else "jax.scipy.linalg").expm(
            input
        )
        return result


def _from_exponential(g: Tensor, input: Tensor) -> Tensor:
    """The derivative at A along g is in the corner of the exponential of [[A, g], [0, A]]."""
    size = input.shape[-1]
    block = BroadcastTo(transposed(input), shape=tuple(g.shape), rank=len(input.shape))
    upper = ConcatV2(block, g, axis=-1)
    lower = ConcatV2(ZerosLike(g), block, axis=-1)
    powers = MatrixExponential(ConcatV2(upper, lower, axis=-2))
    above, _ = SplitV(powers, sizes=(size, size), axis=-2)
    return SplitV(above, sizes=(size, size), axis=-1)[1]


MatrixExponential.grads(input=_from_exponential)


@public("linalg.expm")
def expm(input: NumericLike, name: str | None = None) -> Tensor:
    """The exponential of each matrix: the sum of its powers, each over the factorial.

    >>> import cinta as tf
    >>> tf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy()
    array([[1., 1.],
           [0., 1.]], dtype=float32)

    Args:
        input: Square matrices, in the last two axes.

    Raises:
        InvalidArgumentError: If they are not square.
    """
    return on_one(MatrixExponential, square("MatrixExponential", input))


# -- square root and logarithm -----------------------------------------------------------------


@op("MatrixSquareRoot", rowwise=True)
def MatrixSquareRoot(xp: ArrayModule, input: Array) -> Array:
    """Matrices whose squares are the inputs; nan where there is no real one."""
    from scipy.linalg import sqrtm as root

    def one(matrix: Array) -> Array:
        found: Array = root(matrix)
        if found.dtype.kind == "c" != matrix.dtype.kind:
            return np.full_like(matrix, np.nan)
        return found

    return one_by_one(one, "(n,n)->(n,n)", input)


@op("Sylvester", broadcasts=True, elementwise=False)
def Sylvester(xp: ArrayModule, a: Array, b: Array, q: Array) -> Array:
    """The solutions x of a x + x b = q."""
    from scipy.linalg import solve_sylvester

    return one_by_one(solve_sylvester, "(n,n),(m,m),(n,m)->(n,m)", a, b, q)


@Sylvester.pullback
def _(g: Tensor, wanted: Sequence[bool], a: Tensor, b: Tensor, out: Tensor) -> tuple[Tensor, ...]:
    d = Sylvester(transposed(a), transposed(b), g)
    return -times(d, out, False, True), -times(out, d, True), d


# X X = A gives dX X + X dX = dA, a Sylvester equation, and a rule solves the transposed one.
MatrixSquareRoot.grads(input=lambda g, out: Sylvester(transposed(out), transposed(out), g))


@op("MatrixLogarithm", rowwise=True)
def MatrixLogarithm(xp: ArrayModule, input: Array) -> Array:
    """Matrices whose exponentials are the inputs; nan where there is none."""
    from scipy.linalg import logm as logarithm
    from scipy.linalg import schur

    def one(matrix: Array) -> Array:
        if not matrix.size:
            return matrix
        none = np.full_like(matrix, complex(np.nan, np.nan))
        if not np.isfinite(matrix).all():
            return none
        eigenvalues = np.abs(np.diagonal(schur(matrix, "complex")[0]))
        # log(A) = log(A / c) + log(c) I, because c I commutes with A. SciPy's algorithm is that of
        # Al-Mohy and Higham, "Improved inverse scaling and squaring algorithms" (2012).
        largest = eigenvalues.max()
        if (eigenvalues <= _SCIPYS_LEAST * largest).any():
            return none
        result: Array = logarithm(matrix / largest) + np.log(largest) * np.eye(len(matrix))
        return result

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of matrices that are close to singular ones
        return one_by_one(one, "(n,n)->(n,n)", input)


_SCIPYS_LEAST = 1e-20
"""SciPy's logarithm takes smaller eigenvalues, and 0, for this one."""


@public("linalg.sqrtm", "matrix_square_root")
def sqrtm(input: NumericLike, name: str | None = None) -> Tensor:
    """The matrix whose square is the input, for each matrix; nan where there is no real one.

    >>> import cinta as tf
    >>> tf.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy()
    array([[2., 0.],
           [0., 3.]], dtype=float32)
    """
    return on_one(MatrixSquareRoot, square("MatrixSquareRoot", input))


@public("linalg.logm")
def logm(input: NumericLike, name: str | None = None) -> Tensor:
    """The matrix whose exponential is the input, for each matrix of complex numbers.

    There is no gradient.

    >>> import cinta as tf
    >>> tf.linalg.logm([[1.0 + 0j, 0j], [0j, 1.0 + 0j]]).numpy()
    array([[0.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]])
    """
    return on_one(
        MatrixLogarithm, square("MatrixLogarithm", tensor_of("MatrixLogarithm", input, "c"))
    )


# -- pseudo-inverse and rank -------------------------------------------------------------------


@op("PseudoInverse", rowwise=True)
def PseudoInverse(xp: ArrayModule, a: Array, rcond: Array) -> Array:
    """The pseudo-inverses; singular values up to rcond times the largest count as 0."""
    u, s, v_adjoint = svd_or_nan(xp, a, full_matrices=False)
    small = s <= rcond[..., None] * s.max(axis=-1, keepdims=True, initial=0)
    inverse = xp.where(small, 0, 1 / xp.where(small, 1, s)).astype(a.dtype)
    return xp.conj((u * inverse[..., None, :] @ v_adjoint).swapaxes(-1, -2))


def _from_inverse(g: Tensor, a: Tensor, out: Tensor) -> Tensor:
    """Golub and Pereyra's formula, which needs no singular vectors."""
    g_adjoint = adjoined(g)
    by_rows = times(times(g_adjoint, Conj(out)), out, False, True)
    by_columns = times(times(out, Conj(out), True), g_adjoint)
    inner = -times(times(out, g, True), out, False, True)
    outer_rows = by_rows - times(Conj(times(a, out)), by_rows)
    outer_columns = by_columns - times(by_columns, Conj(times(out, a)))
    return inner + outer_rows + outer_columns


PseudoInverse.grads(a=_from_inverse)


@public("linalg.pinv")
def pinv(
    a: NumericLike,
    rcond: NumericLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The Moore-Penrose pseudo-inverse of each matrix, which solves least-squares problems.

    >>> import cinta as tf
    >>> tf.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]], dtype=float32)

    Singular values that are not greater than ``rcond`` times the largest one count as 0.

    Args:
        a: Matrices, in the last two axes.
        rcond: A number for each matrix; None for one that follows from its size and dtype.
        validate_args: Accepted; changes no result.
    """
    x = _floating_matrices(a)
    if rcond is None:
        rcond = 10.0 * max(x._array.shape[-2:]) * _precision(x)
    return PseudoInverse(x, as_tensor(rcond, x.dtype.real_dtype.dtype))


def _floating_matrices(a: NumericLike) -> Tensor:
    x = as_tensor(a)
    if x.dtype.is_integer or x.dtype.is_bool:
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {x.dtype.name}).")
    if x._array.ndim < 2:
        raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {x._array.ndim}).")
    return precise("Svd", x)


def _precision(x: Tensor) -> float:
    return float(np.finfo(x._array.dtype).eps)


@public("linalg.matrix_rank")
def matrix_rank(
    a: NumericLike,
    tol: NumericLike | None = None,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """How many singular values of each matrix are greater than a tolerance.

    >>> import cinta as tf
    >>> tf.linalg.matrix_rank([[1.0, 1.0], [1.0, 1.0]]).numpy()
    np.int32(1)

    Args:
        a: Matrices, in the last two axes.
        tol: The tolerance; None for one that follows from the size of the matrix and its dtype.
        validate_args: Accepted; changes no result.

    Raises:
        ValueError: If ``a`` has less than two axes.
    """
    x = _floating_matrices(a)
    values = svd(x, compute_uv=False)
    if tol is None:
        largest = reduce_max(values, axis=-1, keepdims=True)
        tol = largest * (max(x._array.shape[-2:]) * _precision(x))
    return count_nonzero(values > tol, axis=-1, dtype="int32")


# -- least squares -----------------------------------------------------------------------------


@public("linalg.lstsq")
def lstsq(
    matrix: NumericLike,
    rhs: NumericLike,
    l2_regularizer: float = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """The X for which matrix X is nearest to rhs, or the smallest such X if there are many.

    >>> import cinta as tf
    >>> tf.linalg.lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy().round(4)
    array([[2.]], dtype=float32)

    ``l2_regularizer`` times the square of X is added to what is made small. ``fast`` solves the
    normal equations, which squares the condition of the matrix; without it, a pseudo-inverse does,
    and there is no regularization.

    Args:
        matrix: Matrices, in the last two axes.
        rhs: The right-hand sides, as columns.
        l2_regularizer: A number from 0 on.
        fast: Whether to solve the normal equations.

    Raises:
        ValueError: If ``l2_regularizer`` has axes that do not fit.
    """
    a, b = match("MatrixSolveLs", kept(matrix), rhs)
    precise("MatrixSolveLs", a)
    rows, columns = a._array.shape[-2:]
    if matrices("MatrixSolveLs", b)._array.shape[-2] != rows:
        raise InvalidArgumentError(
            f"Input matrix and rhs are incompatible: {written(a._array.shape)} and "
            f"{written(b._array.shape)} do not have as many rows [Op:MatrixSolveLs]"
        )
    if not flag(fast, "fast"):
        return matmul(pinv(a), b)
    tall = rows >= columns
    gram = matmul(a, a, adjoint_a=tall, adjoint_b=not tall)
    gram = gram + l2_regularizer * eye(min(rows, columns), dtype=a.dtype)
    factor = cholesky(gram)
    if tall:
        return cholesky_solve(factor, matmul(a, b, adjoint_a=True))
    return matmul(a, cholesky_solve(factor, b), adjoint_a=True)
