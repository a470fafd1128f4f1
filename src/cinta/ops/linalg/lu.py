"""Matrices as the product of two triangles, which are stored in one matrix: LU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, match
from ...engine.op import op
from ...errors import InvalidArgumentError
from ...public import public
from ..arrays.creation import eye, ones
from ..arrays.gathering import gather
from ..reductions.sorting import argsort
from .diagonals import band_part, set_diag
from .matmul import matmul
from .solving import square, triangular_solve

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, NumericLike
    from ...engine.tensor import Array, Tensor


@op("Lu")
def Lu(xp: ArrayModule, input: Array, *, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """Both triangular factors in one matrix, and the order of the rows."""
    from scipy.linalg import get_lapack_funcs

    factor = get_lapack_funcs("getrf", (input,))
    packed = np.empty_like(input)
    order = np.empty(input.shape[:-1], dtype)
    for i in np.ndindex(input.shape[:-2] if input.shape[-1] else (0,)):
        packed[i], exchanges, zero_pivot = factor(input[i])
        if zero_pivot:
            raise InvalidArgumentError("Input is not invertible. [Op:Lu]")
        rows = np.arange(input.shape[-1])
        for row, other in enumerate(exchanges):
            rows[[row, other]] = rows[[other, row]]
        order[i] = rows
    return packed, order


class LowerUpper(NamedTuple):
    """The result of `tf.linalg.lu`."""

    lu: Tensor
    p: Tensor


@public("linalg.lu")
def lu(
    input: NumericLike, output_idx_type: DTypeLike = dtypes.int32, name: str | None = None
) -> LowerUpper:
    """The triangular factors of each matrix in one, without L's unit diagonal, and a permutation.

    Row i of L times U is row ``p[i]`` of the matrix. There is no gradient.

    >>> import cinta as tf
    >>> found = tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]])
    >>> found.lu.numpy(), found.p.numpy()
    (array([[2. , 2. ],
           [0.5, 1. ]], dtype=float32), array([1, 0], dtype=int32))

    Args:
        input: Square matrices, in the last two axes.
        output_idx_type: The dtype of the permutation: ``tf.int32`` or ``tf.int64``.

    Raises:
        InvalidArgumentError: If a matrix is singular or not square.
    """
    return LowerUpper(*Lu(square("Lu", input), dtype=dtypes.as_dtype(output_idx_type).dtype))


def _factors(lower_upper: NumericLike, perm: NumericLike) -> tuple[Tensor, Tensor]:
    """The packed triangles and the order of the rows, which must go together."""
    packed, order = as_tensor(lower_upper), as_tensor(perm)
    if packed.ndim < 2:
        raise ValueError(
            f"Input `lower_upper` must have at least 2 dimensions, got shape {packed.shape}."
        )
    if packed.ndim != order.ndim + 1:
        raise ValueError(
            f"`rank(lower_upper)` must equal `rank(perm) + 1`, got shapes {packed.shape} and "
            f"{order.shape}."
        )
    return packed, order


def _halves(lower_upper: Tensor) -> tuple[Tensor, Tensor]:
    packed = as_tensor(lower_upper)
    unit = ones(packed._array.shape[:-1], packed.dtype)
    return set_diag(band_part(packed, -1, 0), unit), band_part(packed, 0, -1)


def _rows(x: Tensor, order: Tensor) -> Tensor:
    return gather(x, order, axis=-2, batch_dims=as_tensor(order)._array.ndim - 1)


@public("linalg.lu_reconstruct")
def lu_reconstruct(
    lower_upper: NumericLike,
    perm: NumericLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix of which these are the factors that ``tf.linalg.lu`` gave.

    >>> import cinta as tf
    >>> tf.linalg.lu_reconstruct(*tf.linalg.lu([[1.0, 2.0], [2.0, 2.0]])).numpy()
    array([[1., 2.],
           [2., 2.]], dtype=float32)

    Args:
        lower_upper: The factors in one matrix.
        perm: The permutation.
        validate_args: Whether to check the shapes and the permutation first.
    """
    packed, order = _factors(lower_upper, perm)
    lower, upper = _halves(packed)
    return _rows(matmul(lower, upper), argsort(order))


@public("linalg.lu_solve")
def lu_solve(
    lower_upper: NumericLike,
    perm: NumericLike,
    rhs: NumericLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """Solve equations whose matrix has these factors, which ``tf.linalg.lu`` gave.

    >>> import cinta as tf
    >>> tf.linalg.lu_solve(*tf.linalg.lu([[2.0, 0.0], [0.0, 4.0]]), [[1.0], [2.0]]).numpy()
    array([[0.5],
           [0.5]], dtype=float32)

    Args:
        lower_upper: The factors in one matrix.
        perm: The permutation.
        rhs: The right-hand sides, as columns.
        validate_args: Whether to check the shapes and the permutation first.

    Raises:
        ValueError: If ``rhs`` has less than two axes.
    """
    lower_upper, order = _factors(lower_upper, perm)
    packed, b = match("MatrixTriangularSolve", lower_upper, rhs)
    if b.ndim < 2:
        raise ValueError(f"Input `rhs` must have at least 2 dimensions, got shape {b.shape}.")
    half = triangular_solve(_halves(packed)[0], _rows(b, order))
    return triangular_solve(packed, half, lower=False)


@public("linalg.lu_matrix_inverse")
def lu_matrix_inverse(
    lower_upper: NumericLike,
    perm: NumericLike,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The inverse of the matrix with these factors, which ``tf.linalg.lu`` gave.

    >>> import cinta as tf
    >>> tf.linalg.lu_matrix_inverse(*tf.linalg.lu([[2.0, 0.0], [0.0, 4.0]])).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float32)

    Args:
        lower_upper: The factors in one matrix.
        perm: The permutation.
        validate_args: Whether to check the shapes and the permutation first.
    """
    packed, order = _factors(lower_upper, perm)
    shape = packed._array.shape
    unit = eye(shape[-1], batch_shape=shape[:-2], dtype=packed.dtype)
    return lu_solve(packed, order, unit)
