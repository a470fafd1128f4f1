"""Singular values of matrices, and what the rules of all decompositions share.

Where a book has the adjoint of a gradient g these rules have its transpose, and conj(q) where it
has q: within a sweep gradients are conjugates of TensorFlow's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Cast, Conj, Reshape, ZerosLike
from ...engine.shapes import Shape
from ...public import public
from ..arguments import flag
from ..elementwise.guarded import DivNoNan
from ..reductions.reduction import Sum
from .diagonal_ops import MatrixBandPart, MatrixDiag, MatrixDiagPart
from .solving import precise, times, transposed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


# -- parts of rules ----------------------------------------------------------------------------


def adjoined(x: Tensor) -> Tensor:
    """The adjoints of matrices."""
    return Conj(transposed(x))


def diagonal_matrix(x: Tensor, shape: tuple[int, int]) -> Tensor:
    """Matrices of a shape with these main diagonals."""
    return MatrixDiag(x, k=(0, 0), shape=shape, padding_value=0, align="RIGHT_LEFT")


def diagonal_of(x: Tensor) -> Tensor:
    """The main diagonals of matrices."""
    return MatrixDiagPart(x, k=(0, 0), padding_value=0, align="RIGHT_LEFT")


def as_row(x: Tensor) -> Tensor:
    """Vectors as matrices of one row."""
    shape = tuple(x.shape)
    return Reshape(x, shape=(*shape[:-1], 1, shape[-1]))


def as_column(x: Tensor) -> Tensor:
    """Vectors as matrices of one column."""
    return Reshape(x, shape=(*tuple(x.shape), 1))


def gaps(x: Tensor) -> Tensor:
    """1 / (x[j] - x[i]) at i, j, and 0 where they are equal: no vector is determined there."""
    return DivNoNan(1.0, Apart(as_row(x), as_column(x)))


@op("Apart", broadcasts=True)
def Apart(xp: ArrayModule, x: Array, y: Array) -> Array:
    """x - y, and 0 where this is nothing but the rounding errors of a decomposition."""
    difference = x - y
    noise = NOISE * np.finfo(x.dtype).eps * (xp.abs(x) + xp.abs(y))
    result: Array = difference * (xp.abs(difference) > noise)
    return result


NOISE = 16.0
Apart.grads(x=lambda g: g, y=lambda g: -g)


def lower_half(x: Tensor) -> Tensor:
    """The sum of x and its adjoint as a lower triangle, for a matrix that is read only there."""
    both = x + adjoined(x)
    return MatrixBandPart(both, num_lower=-1, num_upper=0) - 0.5 * diagonal_only(both)


def diagonal_only(x: Tensor) -> Tensor:
    return MatrixBandPart(x, num_lower=0, num_upper=0)


# -- singular values ---------------------------------------------------------------------------


@op("Svd", rowwise=True)
def Svd(xp: ArrayModule, input: Array, *, full_matrices: bool) -> tuple[Array, Array, Array]:
    """The singular values, and the left and the right singular vectors as columns."""
    u, s, v_adjoint = svd_or_nan(xp, input, full_matrices=full_matrices)
    return s, u, xp.conj(v_adjoint.swapaxes(-1, -2))


@op("SingularValues", rowwise=True)
def SingularValues(xp: ArrayModule, input: Array) -> Array:
    """The singular values, the largest first."""
    result: Array = svd_or_nan(xp, input, compute_uv=False)
    return result


def svd_or_nan(xp: ArrayModule, x: Array, **options: Any) -> Any:
    """The singular value decomposition; nan for a matrix that has no finite one."""
    try:
        return xp.linalg.svd(x, **options)
    except np.linalg.LinAlgError:
        lost = ~np.isfinite(x).all(axis=(-2, -1), keepdims=True)
        spoil = np.where(lost, np.nan, 0).astype(x.real.dtype)
        found = np.linalg.svd(np.where(lost, 0, x), **options)
        if type(found) is np.ndarray:
            return found + spoil[..., 0]
        u, s, v = found
        return u + spoil, s + spoil[..., 0], v + spoil


@Svd.pullback
def _(
    g: Sequence[Tensor],
    wanted: Sequence[bool],
    out: Sequence[Tensor],
    out_dtype: np.dtype[Any],
    input_shape: Shape,
) -> tuple[Tensor, ...]:
    (s, u, v), (by_s, by_u, by_v) = out, g
    if out_dtype[0] != out_dtype[1]:  # the vectors are complex
        s, by_s = Cast(s, dtype=out_dtype[1]), Cast(by_s, dtype=out_dtype[1])
    shape = rows, columns = u.shape[-1], v.shape[-1]
    if abs(rows - columns) > 1:
        raise NotImplementedError(
            "The gradient of svd with full_matrices=True is not implemented for abs(m - n) > 1, "
            f"where the added vectors are arbitrary. Received m={rows} and n={columns}."
        )
    u_part, v_part = times(u, by_u, True), times(v, by_v, True)
    middle = _turns(u_part, v_part, s, shape) + diagonal_matrix(by_s, shape)
    u_bar, v_bar = Conj(u), Conj(v)
    left = times(u_bar, middle)
    if input_shape[-2] > rows:
        left = left + DivNoNan(by_u - times(u_bar, u_part), as_row(s))
    result = times(left, v, False, True)
    if input_shape[-1] > columns:
        outside = DivNoNan(by_v - times(v_bar, v_part), as_row(s))
        result = result + times(u_bar, adjoined(outside))
    return (result,)


def _turns(u_part: Tensor, v_part: Tensor, s: Tensor, shape: tuple[int, int]) -> Tensor:
    """The part of the gradient that comes from rotations of the vectors.

    Townsend, "Differentiating the singular value decomposition" (2016), divides by differences of
    squares, which cancel where singular values are close. By 2b / (b² - a²) = 1 / (b - a) +
    1 / (b + a) one part is over differences here and the other over sums: that one holds even
    where two values are equal.
    """
    turn_u, turn_v = u_part - adjoined(u_part), v_part - adjoined(v_part)
    if shape[0] != shape[1]:  # cut, or filled up with zeros
        fitting = diagonal_matrix(ZerosLike(s) + 1, shape)
        turn_u, turn_v = times(turn_u, fitting), times(fitting, turn_v)
    sigma = diagonal_matrix(s, shape)
    down = as_column(Sum(sigma, axis=(-1,), keepdims=False))
    across = as_row(Sum(sigma, axis=(-2,), keepdims=False))
    return DivNoNan(turn_u + turn_v, 2 * Apart(across, down)) + DivNoNan(
        turn_u - turn_v, 2 * (across + down)
    )


def _from_values(g: Tensor, input: Tensor, input_dtype: np.dtype[Any]) -> Tensor:
    _, u, v = Svd(input, full_matrices=False)
    return times(Conj(u) * as_row(Cast(g, dtype=input_dtype)), v, False, True)


SingularValues.grads(input=_from_values)


@overload
def svd(
    tensor: NumericLike,
    full_matrices: bool = False,
    compute_uv: Literal[True] = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]: ...
@overload
def svd(
    tensor: NumericLike,
    full_matrices: bool = False,
    *,
    compute_uv: Literal[False],
    name: str | None = None,
) -> Tensor: ...
@overload
def svd(
    tensor: NumericLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor, Tensor]: ...
@public("linalg.svd")
def svd(
    tensor: NumericLike,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor, Tensor]:
    """The singular values s of each matrix, the largest first, and the singular vectors u and v.

    The matrix is u times the diagonal matrix of s times the adjoint of v.

    >>> import cinta as tf
    >>> tf.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False).numpy()
    array([4., 3.], dtype=float32)

    The vectors of equal singular values are not determined; no gradient comes from them.

    Args:
        tensor: Matrices, in the last two axes.
        full_matrices: Whether u and v are square.
        compute_uv: Whether to give the vectors too.

    Raises:
        InvalidArgumentError: If ``tensor`` has less than two axes.
    """
    x, is_full = precise("Svd", tensor), flag(full_matrices, "full_matrices")
    if not flag(compute_uv, "compute_uv"):
        return on_one(SingularValues, x)
    s, u, v = Svd(x, full_matrices=is_full)
    return s, u, v
