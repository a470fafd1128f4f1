"""Matrices of which only a few diagonals are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ...engine.convert import as_tensor, kept, match
from ...engine.op import op
from ...engine.primitives import Pack
from ...engine.shapes import Shape, written
from ...engine.tensor import seen
from ...errors import InvalidArgumentError, UnimplementedError
from ...public import public
from ..arguments import flag, text
from ..arrays.creation import zeros_like
from ..arrays.joining import concat, stack
from ..arrays.reordering import Roll
from ..arrays.shaping import expand_dims, matrix_transpose, squeeze
from ..elementwise.complex_numbers import conj
from ..reductions.reduction import Sum
from .diagonals import diag, diag_part
from .eigenvalues import eigh, eigvalsh
from .solving import one_by_one, triangular_solve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


# They stand in the rows of a matrix, the upper one first. Its last place has no element of the
# matrix to hold, nor has the first one of the lower diagonal.


@op("TridiagonalSolve", broadcasts=True, elementwise=False)
def TridiagonalSolve(xp: ArrayModule, diagonals: Array, rhs: Array, *, transpose: bool) -> Array:
    """The solutions of equations with three diagonals; nan where the matrix is singular."""
    from scipy.linalg import solve_banded

    def one(bands: Array, b: Array) -> Array:
        upper, main, lower = bands
        if transpose:
            upper, lower = np.roll(lower, -1), np.roll(upper, 1)
        shifted = np.stack([np.roll(upper, 1), main, np.roll(lower, -1)])  # aligned by column
        try:
            result: Array = solve_banded((1, 1), shifted, b, check_finite=False)
            return result
        except np.linalg.LinAlgError:
            return np.full_like(b, np.nan)

    return one_by_one(one, "(k,n),(n,m)->(n,m)", diagonals, rhs)


@TridiagonalSolve.pullback
def _(
    g: Tensor,
    wanted: Sequence[bool],
    diagonals: Tensor,
    out: Tensor,
    out_shape: Shape,
    diagonals_dtype: np.dtype[Any],
    transpose: bool,
) -> tuple[Tensor, ...]:
    d = TridiagonalSolve(diagonals, g, transpose=not transpose)
    row, column = (out, d) if transpose else (d, out)
    products = [
        Sum(row * Roll(column, shift=(shift,), axis=(-2,)), axis=(-1,), keepdims=False)
        for shift in (-1, 0, 1)
    ]
    stored = np.ones((3, out_shape[-2]), diagonals_dtype)
    stored[0, -1:] = stored[2, :1] = 0
    return -Pack(*products, axis=-2) * stored, d


@public("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: NumericLike,
    rhs: NumericLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """Solve equations whose matrix has three diagonals, in time that grows with their length.

    The format is "compact", a matrix with the upper, the main and the lower diagonal as its rows,
    "sequence", the three as a list, or "matrix", the whole matrix. Rows are always exchanged where
    that makes the result more precise; a singular matrix gives nan.

    >>> import cinta as tf
    >>> diagonals = tf.constant([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]])
    >>> tf.linalg.tridiagonal_solve(diagonals, tf.constant([3.0, 3.0])).numpy()
    array([1., 1.], dtype=float32)

    Args:
        diagonals: The three diagonals.
        rhs: The right-hand sides, as columns; or a vector.
        diagonals_format: "compact", "sequence" or "matrix".
        transpose_rhs: Whether the right-hand sides are rows.
        conjugate_rhs: Whether to conjugate them first.
        partial_pivoting: Accepted: rows are always exchanged.
        perturb_singular: False: a singular matrix gives nan.

    Raises:
        ValueError: If there is no such format, or the lengths do not fit.
        UnimplementedError: If singular matrices are to be perturbed.
    """
    flag(partial_pivoting, "partial_pivoting")
    if flag(perturb_singular, "perturb_singular"):
        raise UnimplementedError(
            "perturb_singular=True is not implemented: make the matrix regular first."
        )
    bands = compact_diagonals(diagonals, diagonals_format)
    _check_batches(bands._array.shape, as_tensor(rhs)._array.shape)
    bands, b = match("TridiagonalSolve", bands, kept(rhs))
    vector = b._array.ndim == bands._array.ndim - 1
    if vector:
        b = expand_dims(b, -1)
    elif flag(transpose_rhs, "transpose_rhs"):
        b = matrix_transpose(b)
    if flag(conjugate_rhs, "conjugate_rhs"):
        b = conj(b)
    _check_lengths(bands._array.shape, b._array.shape)
    result = TridiagonalSolve(bands, b, transpose=False)
    return squeeze(result, -1) if vector else result


def _check_batches(bands: Shape, rhs: Shape) -> None:
    """Refuse batches of matrices and of right-hand sides that do not go together."""
    batch, other = bands[:-2], rhs[: -1 if len(rhs) == len(bands) - 1 else -2]
    try:
        np.broadcast_shapes(batch, other)
    except ValueError:
        raise ValueError(
            f"Batch shapes {batch} of the diagonals and {other} of rhs are incompatible."
        ) from None


def _check_lengths(bands: Shape, rhs: Shape) -> None:
    if len(bands) < 2 or bands[-2] != 3:
        raise ValueError(f"Expected 3 diagonals, as the rows of a matrix, got shape {bands}.")
    if len(rhs) < 2:
        raise ValueError(f"Expected right-hand sides as columns of a matrix, got shape {rhs}.")
    if rhs[-2] != bands[-1]:
        raise ValueError(
            "Expected as many diagonals' elements as right-hand sides in `rhs`, got "
            f"{bands[-1]} and {rhs[-2]}"
        )


def compact_diagonals(diagonals: Any, diagonals_format: str) -> Tensor:
    """The three diagonals as the rows of a matrix."""
    if text(diagonals_format, "diagonals_format") == "compact":
        return as_tensor(diagonals)
    if diagonals_format == "matrix":
        matrix = as_tensor(diagonals)
        if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
            raise ValueError(
                f"Expected last two dimensions of diagonals to be same, got shape {matrix.shape}."
            )
        return diag_part(matrix, k=(-1, 1), align="LEFT_RIGHT")
    if diagonals_format != "sequence":
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    upper, main, lower = [as_tensor(each) for each in diagonals]
    length = main.shape[-1]
    if not upper.shape[:-1] == main.shape[:-1] == lower.shape[:-1]:
        raise ValueError(
            "The three diagonals must have the same shape, except for the last dimension, got "
            f"{upper.shape}, {main.shape} and {lower.shape}."
        )
    for name, other in (("superdiagonal", upper), ("subdiagonal", lower)):
        if other.shape[-1] not in (length, length - 1):
            raise ValueError(
                f"Expected {name} to have length {length} or {length - 1}, got {other.shape[-1]}."
            )
    gap = zeros_like(main[..., :1])
    if upper._array.shape[-1] < main._array.shape[-1]:
        upper = concat([upper, gap], -1)
    if lower._array.shape[-1] < main._array.shape[-1]:
        lower = concat([gap, lower], -1)
    return stack([upper, main, lower], -2)


@public("linalg.tridiagonal_matmul")
def tridiagonal_matmul(
    diagonals: NumericLike,
    rhs: NumericLike,
    diagonals_format: str = "compact",
    name: str | None = None,
) -> Tensor:
    """The product of a matrix with three diagonals and another matrix.

    >>> import cinta as tf
    >>> diagonals = tf.constant([[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]])
    >>> tf.linalg.tridiagonal_matmul(diagonals, tf.constant([[1.0], [1.0]])).numpy()
    array([[3.],
           [3.]], dtype=float32)

    For the formats see ``tf.linalg.tridiagonal_solve``.

    Args:
        diagonals: The three diagonals.
        rhs: The other matrix.
        diagonals_format: "compact", "sequence" or "matrix".
    """
    bands, x = match("TridiagonalMatMul", compact_diagonals(diagonals, diagonals_format), rhs)
    _check_lengths(bands._array.shape, x._array.shape)
    gap = zeros_like(x[..., :1, :])
    upper, main, lower = [bands[..., i, :, None] for i in range(3)]
    after, before = concat([x[..., 1:, :], gap], -2), concat([gap, x[..., :-1, :]], -2)
    return upper * after + main * x + lower * before


@overload
def eigh_tridiagonal(
    alpha: NumericLike,
    beta: NumericLike,
    eigvals_only: Literal[True] = True,
    select: str = "a",
    select_range: object = None,
    tol: float | None = None,
    name: str | None = None,
) -> Tensor: ...
@overload
def eigh_tridiagonal(
    alpha: NumericLike,
    beta: NumericLike,
    eigvals_only: Literal[False],
    select: str = "a",
    select_range: object = None,
    tol: float | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]: ...
@public("linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha: NumericLike,
    beta: NumericLike,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: object = None,
    tol: float | None = None,
    name: str | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """The eigenvalues, in rising order, of a self-adjoint matrix with three diagonals.

    ``alpha`` is the main diagonal, ``beta`` the upper one. ``select="i"`` gives those with numbers
    from select_range[0] to select_range[1], ``select="v"`` those between these two values.

    >>> import cinta as tf
    >>> tf.linalg.eigh_tridiagonal([1.0, 1.0], [1.0]).numpy().round(4)
    array([0., 2.], dtype=float32)

    Args:
        alpha: The main diagonal.
        beta: The diagonal above it, one shorter.
        eigvals_only: Whether to give no eigenvectors.
        select: "a" for all, "i" for some by number, "v" for some by value.
        select_range: The first and the last number, or two values.
        tol: Accepted; changes no result.

    Raises:
        ValueError: If ``select`` is another, or has no range.
        InvalidArgumentError: If the lengths do not fit.
    """
    main, upper = as_tensor(alpha), as_tensor(beta)
    if main.dtype != upper.dtype:
        raise ValueError(f"'alpha' and 'beta' must have the same type: {main!r}, {upper!r}.")
    lengths = main._array.shape, upper._array.shape
    if not all(lengths) or lengths[1][-1] != max(lengths[0][-1] - 1, 0):
        raise InvalidArgumentError(
            "'beta' must be one shorter than 'alpha': got shapes "
            f"{written(lengths[0])} and {written(lengths[1])} [Op:EighTridiagonal]"
        )
    matrix = diag(main) + diag(conj(upper), k=-1)  # the lower half is all that is read
    if flag(eigvals_only, "eigvals_only"):
        values = eigvalsh(matrix)
        return values[..., _chosen(values, select, select_range)]
    values, vectors = eigh(matrix)
    chosen = _chosen(values, select, select_range)
    return values[..., chosen], vectors[..., chosen]


def _chosen(values: Tensor, select: str, select_range: object) -> slice:
    """The eigenvalues that were asked for, as a slice."""
    if text(select, "select") == "a":
        return slice(None)
    limits = seen(as_tensor(select_range))
    if np.shape(limits) != (2,):
        raise ValueError(f"`select_range` must be two numbers for select={select!r}: {limits}.")
    first, last = limits.tolist()
    if select == "i":
        return slice(first, last + 1)
    if select == "v" and values.ndim == 1:
        found = seen(values)
        return slice(int((found <= first).sum()), int((found <= last).sum()))
    raise ValueError(
        f"'select' must be 'a', 'i' or, for a single matrix, 'v'; got {select!r} for eigenvalues "
        f"of shape {values.shape}."
    )


@public("linalg.banded_triangular_solve")
def banded_triangular_solve(
    bands: NumericLike,
    rhs: NumericLike,
    lower: bool = True,
    adjoint: bool = False,
    name: str | None = None,
) -> Tensor:
    """Solve equations with a triangular matrix that is given by its diagonals.

    The rows of ``bands`` are diagonals, the uppermost first, each element in the column, or for an
    upper triangle the row, that it has in the matrix.

    >>> import cinta as tf
    >>> bands = tf.constant([[2.0, 4.0], [0.0, 1.0]])
    >>> tf.linalg.banded_triangular_solve(bands, tf.constant([[2.0], [5.0]])).numpy()
    array([[1.],
           [1.]], dtype=float32)

    Args:
        bands: The diagonals, as the rows of a matrix.
        rhs: The right-hand sides, as columns.
        lower: Whether the matrix is lower triangular.
        adjoint: Whether to solve with the adjoint of the matrix.

    Raises:
        ValueError: If ``bands`` has less than two axes.
        InvalidArgumentError: If there are not as many rows in ``rhs``.
    """
    diagonals, rhs = match("BandedTriangularSolve", bands, rhs)
    if diagonals._array.ndim < 2:
        raise ValueError(f"`bands` must be diagonals as rows, got shape {diagonals.shape}.")
    width = diagonals._array.shape[-2]
    lower = flag(lower, "lower")
    k = (1 - width, 0) if lower else (0, width - 1)
    band = diagonals if width > 1 else squeeze(diagonals, -2)
    return triangular_solve(diag(band, k=k, align="LEFT_RIGHT"), rhs, lower=lower, adjoint=adjoint)
