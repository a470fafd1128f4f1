"""QR decompositions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...engine.op import op
from ...engine.primitives import Conj
from ...engine.shapes import Shape
from ...public import public
from ..arguments import flag
from ..arrays.joining import concat
from .decompositions import adjoined, diagonal_only
from .diagonal_ops import MatrixBandPart
from .matmul import matmul
from .solving import TriangularSolve, precise, times, transposed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@op("Qr", rowwise=True)
def Qr(xp: ArrayModule, input: Array, *, full_matrices: bool) -> tuple[Array, Array]:
    """An orthogonal and an upper triangular factor."""
    q, r = xp.linalg.qr(input, mode="complete" if full_matrices else "reduced")
    return q, r


@Qr.pullback
def _(
    g: Sequence[Tensor],
    wanted: Sequence[bool],
    out: Sequence[Tensor],
    out_shape: tuple[Shape, Shape],
) -> tuple[Tensor, ...]:
    (q, r), (rows, columns) = out, out_shape[1][-2:]
    if rows > columns:
        raise NotImplementedError(
            "QrGrad not implemented when nrows > ncols and full_matrices is true: the added "
            f"columns of q are arbitrary. Received r.shape={out_shape[1]}."
        )
    by_q, by_r = g
    # Walter and Lehmann, "Algorithmic differentiation of linear algebra functions" (2010): with
    # M = R R̄ᴴ - Q̄ᴴ Q, the gradient is (Q̄ + Q S) R⁻ᴴ, where S is the triangle of M made Hermitian.
    upper = MatrixBandPart(
        times(by_r, r, False, True) - times(q, by_q, True), num_lower=0, num_upper=-1
    )
    both = upper + adjoined(upper)
    whole = by_q + times(Conj(q), both - 0.5 * diagonal_only(both))
    solved = TriangularSolve(r, transposed(whole), lower=False, transpose=False)
    return (transposed(solved),)


class OrthogonalUpper(NamedTuple):
    """The result of `tf.linalg.qr`."""

    q: Tensor
    r: Tensor


@public("linalg.qr")
def qr(input: NumericLike, full_matrices: bool = False, name: str | None = None) -> OrthogonalUpper:
    """The factors q, with orthonormal columns, and r, upper triangular, of each matrix.

    >>> import cinta as tf
    >>> q, r = tf.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> tf.abs(r).numpy().round(4)
    array([[5. , 2.2],
           [0. , 0.4]], dtype=float32)

    With ``full_matrices`` q is square; then only matrices with at least as many columns as rows
    have a gradient.

    Args:
        input: Matrices, in the last two axes.
        full_matrices: Whether q is square.
    """
    x = precise("Qr", input)
    rows, columns = x._array.shape[-2:]
    if rows >= columns:
        return OrthogonalUpper(*Qr(x, full_matrices=flag(full_matrices, "full_matrices")))
    # the first columns alone determine q
    q, r = Qr(x[..., :rows], full_matrices=False)
    return OrthogonalUpper(q, concat([r, matmul(q, x[..., rows:], adjoint_a=True)], -1))
