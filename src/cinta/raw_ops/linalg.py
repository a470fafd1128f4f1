"""Ops on matrices: products, diagonals, decompositions, solutions, Fourier transforms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

from .gradients import pulled

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import NumericLike
    from ..engine.tensor import Tensor

_l, _f = tf.linalg, tf.signal


def _product(a: Tensor, b: Tensor, ta: bool, tb: bool, *_: bool) -> Tensor:
    if len(a.shape) != 2 or len(b.shape) != 2:
        raise tf.errors.InvalidArgumentError(
            f"In[0] and In[1] must be matrices, got shapes {a.shape} and {b.shape} [Op:MatMul]; "
            "tf.linalg.matmul takes batches of them."
        )
    return tf.matmul(a, b, ta, tb)


def _batched_product(a: Tensor, b: Tensor, adjoint_a: bool, adjoint_b: bool, *_: bool) -> Tensor:
    return tf.matmul(a, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)


def _mixed_product(
    a: Tensor, b: Tensor, dtype: tf.DType, adjoint_a: bool, adjoint_b: bool, *_: bool
) -> Tensor:
    a, b = tf.cast(a, dtype), tf.cast(b, dtype)
    return tf.matmul(a, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)


def _sparse_product(a: Tensor, b: Tensor, ta: bool, tb: bool, *_: bool) -> Tensor:
    return tf.matmul(tf.cast(a, "float32"), tf.cast(b, "float32"), ta, tb)


def _cholesky_gradient(lower: Tensor, grad: Tensor) -> Tensor:
    """The gradient of a Cholesky factor, by the matrix that was decomposed."""
    return pulled(_l.cholesky, tf.matmul(lower, lower, adjoint_b=True))(grad)


def _eigenvalues(input: Tensor, dtype: tf.DType, compute_v: bool) -> tuple[Tensor, Tensor]:
    if compute_v:
        e, v = _l.eig(input)
        return tf.cast(e, dtype), tf.cast(v, dtype)
    return tf.cast(_l.eigvals(input), dtype), tf.zeros([0], dtype)


def _self_adjoint(input: Tensor, compute_v: bool) -> tuple[Tensor, Tensor]:
    if compute_v:
        return _l.eigh(input)
    return _l.eigvalsh(input), tf.zeros([0], input.dtype)


def _singular(x: Tensor, compute_uv: bool, full: bool) -> tuple[Tensor, Tensor, Tensor]:
    if compute_uv:
        return _l.svd(x, full)
    empty = tf.zeros([0], x.dtype)
    return _l.svd(x, full, compute_uv=False), empty, empty


def _set_diagonal(
    x: Tensor, diagonal: Tensor, k: NumericLike = 0, align: str = "LEFT_LEFT"
) -> Tensor:
    return _l.set_diag(x, diagonal, k=k, align=align)


def _diagonal_matrix(
    diagonal: Tensor,
    k: Tensor,
    rows: Tensor,
    columns: Tensor,
    padding: Tensor,
    align: str = "LEFT_LEFT",
) -> Tensor:
    return _l.diag(
        diagonal, k=k, num_rows=rows, num_cols=columns, padding_value=padding, align=align
    )


def _diagonal_part(x: Tensor, k: Tensor, padding: Tensor, align: str = "LEFT_LEFT") -> Tensor:
    return _l.diag_part(x, k=k, padding_value=padding, align=align)


def _tridiagonal_product(above: Tensor, main: Tensor, below: Tensor, rhs: Tensor) -> Tensor:
    rows = [tf.squeeze(each, -2) for each in (above, main, below)]
    return _l.tridiagonal_matmul(tf.stack(rows, axis=-2), rhs)


def _tridiagonal_solution(diagonals: Tensor, rhs: Tensor, pivot: bool, perturb: bool) -> Tensor:
    return _l.tridiagonal_solve(diagonals, rhs, partial_pivoting=pivot, perturb_singular=perturb)


def _least_squares(matrix: Tensor, rhs: Tensor, l2: Tensor, fast: bool) -> Tensor:
    return _l.lstsq(matrix, rhs, tf.cast(l2, matrix.dtype), fast)  # type: ignore[arg-type]  # it may be one


def _einsum(inputs: list[Tensor], equation: str) -> Tensor:
    return tf.einsum(equation, *inputs)


def _to_complex(transform: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda x, length, dtype: tf.cast(transform(x, length), dtype)


def _nd(transform: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda x, length, axes, *dtype: transform(x, length, axes)


OPS: dict[str, Callable[..., Any]] = {
    "BandedTriangularSolve": _l.banded_triangular_solve,
    "BatchMatMul": _batched_product,
    "BatchMatMulV2": _batched_product,
    "BatchMatMulV3": _mixed_product,
    "Cholesky": _l.cholesky,
    "CholeskyGrad": _cholesky_gradient,
    "Cross": _l.cross,
    "Eig": _eigenvalues,
    "Einsum": _einsum,
    "FFT": _f.fft,
    "FFT2D": _f.fft2d,
    "FFT3D": _f.fft3d,
    "FFTND": _nd(_f.fftnd),
    "IFFT": _f.ifft,
    "IFFT2D": _f.ifft2d,
    "IFFT3D": _f.ifft3d,
    "IFFTND": _nd(_f.ifftnd),
    "IRFFT": _to_complex(_f.irfft),
    "IRFFT2D": _to_complex(_f.irfft2d),
    "IRFFT3D": _to_complex(_f.irfft3d),
    "IRFFTND": _nd(_f.irfftnd),
    "LogMatrixDeterminant": _l.slogdet,
    "Lu": _l.lu,
    "MatMul": _product,
    "MatrixBandPart": _l.band_part,
    "MatrixDeterminant": _l.det,
    "MatrixDiag": _l.diag,
    "MatrixDiagPart": _l.diag_part,
    "MatrixDiagPartV2": _diagonal_part,
    "MatrixDiagPartV3": _diagonal_part,
    "MatrixDiagV2": _diagonal_matrix,
    "MatrixDiagV3": _diagonal_matrix,
    "MatrixInverse": _l.inv,
    "MatrixLogarithm": _l.logm,
    "MatrixSetDiag": _set_diagonal,
    "MatrixSetDiagV2": _set_diagonal,
    "MatrixSetDiagV3": _set_diagonal,
    "MatrixSolve": _l.solve,
    "MatrixSolveLs": _least_squares,
    "MatrixSquareRoot": _l.sqrtm,
    "MatrixTriangularSolve": _l.triangular_solve,
    "Qr": _l.qr,
    "RFFT": _to_complex(_f.rfft),
    "RFFT2D": _to_complex(_f.rfft2d),
    "RFFT3D": _to_complex(_f.rfft3d),
    "RFFTND": _nd(_f.rfftnd),
    "SelfAdjointEigV2": _self_adjoint,
    "SparseMatMul": _sparse_product,
    "Svd": _singular,
    "TridiagonalMatMul": _tridiagonal_product,
    "TridiagonalSolve": _tridiagonal_solution,
}
