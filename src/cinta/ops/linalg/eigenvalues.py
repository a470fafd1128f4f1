"""Eigenvalues and eigenvectors, of symmetric matrices and of any."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Cast, Conj
from ...public import public
from ..elementwise.complex_numbers import Real
from .decompositions import as_row, diagonal_matrix, diagonal_of, gaps, lower_half
from .solving import MatrixSolve, square, times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


# -- eigenvalues of symmetric matrices ---------------------------------------------------------


@op("SelfAdjointEigV2", rowwise=True)
def Eigh(xp: ArrayModule, input: Array) -> tuple[Array, Array]:
    """The eigenvalues and eigenvectors of self-adjoint matrices, read in their lower half."""
    values, vectors = xp.linalg.eigh(input, **_lower_half(xp))
    unknown = _nan_if_any(xp, input)[..., None]
    return (values + unknown).astype(input.dtype), (vectors + unknown[..., None]).astype(
        input.dtype
    )


@op("SelfAdjointEigenvalues", rowwise=True)
def Eigvalsh(xp: ArrayModule, input: Array) -> Array:
    """The eigenvalues of self-adjoint matrices, read in their lower half."""
    values: Array = xp.linalg.eigvalsh(input, **_lower_half(xp))
    return (values + _nan_if_any(xp, input)[..., None]).astype(input.dtype)


def _nan_if_any(xp: ArrayModule, matrices: Array) -> Array:
    """NaN for each matrix with NaN in its lower half, of which LAPACK may make numbers, else 0."""
    return xp.where(xp.isnan(xp.tril(matrices)).any(axis=(-2, -1)), np.nan, 0.0)


def _lower_half(xp: ArrayModule) -> dict[str, Any]:
    """How to have matrices read in their lower half; JAX would take the mean of both."""
    return {"UPLO": "L"} if xp is np else {"UPLO": "L", "symmetrize_input": False}


@Eigh.pullback
def _(g: Sequence[Tensor], wanted: Sequence[bool], out: Sequence[Tensor]) -> tuple[Tensor, ...]:
    (values, vectors), (by_values, by_vectors) = out, g
    # Giles, "Collected matrix derivative results for forward and reverse mode algorithmic
    # differentiation" (2008), eigenvalues and eigenvectors; vectors turn by 1 / (λj - λi).
    size = vectors.shape[-1]
    middle = diagonal_matrix(by_values, (size, size))
    middle = middle + gaps(values) * times(vectors, by_vectors, True)
    return (lower_half(times(times(Conj(vectors), middle), vectors, False, True)),)


def _from_eigenvalues(g: Tensor, input: Tensor) -> Tensor:
    _, vectors = Eigh(input)
    return lower_half(times(Conj(vectors) * as_row(g), vectors, False, True))


Eigvalsh.grads(input=_from_eigenvalues)


@public("linalg.eigh")
def eigh(tensor: NumericLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues, in rising order, and eigenvectors of self-adjoint matrices.

    Only the lower half of each matrix is read, and only there is the gradient not zero.

    >>> import cinta as tf
    >>> values, vectors = tf.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])
    >>> values.numpy()
    array([1., 2.], dtype=float32)

    The vectors of equal eigenvalues are not determined; no gradient comes from them.

    Args:
        tensor: Self-adjoint matrices, in the last two axes.

    Raises:
        InvalidArgumentError: If they are not square.
    """
    values, vectors = Eigh(square("SelfAdjointEigV2", tensor))
    return values, vectors


@public("linalg.eigvalsh")
def eigvalsh(tensor: NumericLike, name: str | None = None) -> Tensor:
    """The eigenvalues of self-adjoint matrices, in rising order; see ``tf.linalg.eigh``.

    >>> import cinta as tf
    >>> tf.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.], dtype=float32)

    Args:
        tensor: Self-adjoint matrices, in the last two axes.

    Raises:
        InvalidArgumentError: If they are not square.
    """
    return on_one(Eigvalsh, square("SelfAdjointEigV2", tensor))


# -- eigenvalues of any matrices ---------------------------------------------------------------


@op("Eig", rowwise=True)
def Eig(xp: ArrayModule, input: Array) -> tuple[Array, Array]:
    """The complex eigenvalues, and the eigenvectors of length 1 as columns."""
    wide = xp.result_type(input.dtype, np.complex64)
    values, vectors = xp.linalg.eig(input)
    return values.astype(wide), vectors.astype(wide)


@op("Eigenvalues", rowwise=True)
def Eigvals(xp: ArrayModule, input: Array) -> Array:
    """The complex eigenvalues."""
    return xp.linalg.eigvals(input).astype(xp.result_type(input.dtype, np.complex64))


@Eig.pullback
def _(
    g: Sequence[Tensor],
    wanted: Sequence[bool],
    out: Sequence[Tensor],
    input_dtype: np.dtype[Any],
    out_dtype: np.dtype[Any],
) -> tuple[Tensor, ...]:
    (values, vectors), (by_values, by_vectors) = out, g
    size = vectors.shape[-1]
    part = times(vectors, by_vectors, True)
    lengths = Cast(Real(diagonal_of(part)), dtype=out_dtype[1])  # they stay 1
    part = part - times(vectors, Conj(vectors), True) * as_row(lengths)
    middle = diagonal_matrix(by_values, (size, size)) + gaps(values) * part
    return (_in_eigenbasis(middle, vectors, input_dtype),)


def _in_eigenbasis(middle: Tensor, vectors: Tensor, input_dtype: np.dtype[Any]) -> Tensor:
    whole = MatrixSolve(vectors, times(middle, vectors, False, True), transpose=True)
    return Cast(whole, dtype=input_dtype)


def _from_eigvals(g: Tensor, input: Tensor, input_dtype: np.dtype[Any]) -> Tensor:
    _, vectors = Eig(input)
    size = vectors.shape[-1]
    return _in_eigenbasis(diagonal_matrix(g, (size, size)), vectors, input_dtype)


Eigvals.grads(input=_from_eigvals)


@public("eig", "linalg.eig")
def eig(tensor: NumericLike, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues and eigenvectors of any square matrices, as complex numbers.

    >>> import cinta as tf
    >>> values, vectors = tf.linalg.eig([[0.0, -1.0], [1.0, 0.0]])
    >>> values.numpy()
    array([0.+1.j, 0.-1.j], dtype=complex64)

    Args:
        tensor: Square matrices of floating-point or complex numbers, in the last two axes.

    Raises:
        InvalidArgumentError: If they are not square.
    """
    values, vectors = Eig(square("Eig", tensor))
    return values, vectors


@public("eigvals", "linalg.eigvals")
def eigvals(tensor: NumericLike, name: str | None = None) -> Tensor:
    """The eigenvalues of any square matrices, as complex numbers.

    >>> import cinta as tf
    >>> tf.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]]).numpy()
    array([0.+1.j, 0.-1.j], dtype=complex64)

    Args:
        tensor: Square matrices of floating-point or complex numbers, in the last two axes.

    Raises:
        InvalidArgumentError: If they are not square.
    """
    return on_one(Eigvals, square("Eig", tensor))
