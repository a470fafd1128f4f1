"""Circulant operators, which multiply by Fourier transforms."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar

from .... import dtypes
from ....public import public
from ...arrays.shaping import matrix_transpose, reshape
from ...elementwise.casting import cast
from ...elementwise.complex_numbers import conj
from ...elementwise.unary import abs, log
from ...reductions.reduction import reduce_prod, reduce_sum
from ...signal.fourier.functions import fft, fft2d, fft3d, ifft, ifft2d, ifft3d
from .base import LinearOperator
from .diagonal import tensor_or_variable
from .hints import agreed

if TYPE_CHECKING:
    from ....dtypes import DType
    from ....engine.annotations import NumericLike
    from ....engine.shapes import Shape, TensorShape
    from ....engine.tensor import Tensor

_TRANSFORMS = {1: (fft, ifft), 2: (fft2d, ifft2d), 3: (fft3d, ifft3d)}


class Circulant(LinearOperator):
    """The base of circulant operators of all depths, which own the last axes of the spectrum."""

    block_depth = 1
    batched: ClassVar[dict[str, int]] = {"spectrum": 1}

    def __init__(
        self,
        spectrum: NumericLike,
        input_output_dtype: DType = dtypes.complex64,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        self.spectrum = tensor_or_variable(spectrum)
        if len(self.spectrum.shape) < self.block_depth:
            raise ValueError(
                f"Argument `spectrum` must have at least {self.block_depth} dimensions. Found: "
                f"{self.spectrum.shape}"
            )
        if is_square is False:
            raise ValueError("A circulant operator is always square.")
        real = not self.spectrum.dtype.is_complex
        self_adjoint = agreed("is_self_adjoint", is_self_adjoint, real or None)
        hints = (is_non_singular, self_adjoint, is_positive_definite, True)
        super().__init__(input_output_dtype, None, *hints, name or type(self).__name__)

    @property
    def block_shape(self) -> TensorShape:
        """The lengths of the axes that a vector stands for."""
        return self.spectrum.shape[-self.block_depth :]

    def _block(self) -> Shape:
        return tuple(self.block_shape)

    def _lengths(self) -> Shape:
        batch, length = tuple(self.spectrum.shape)[: -self.block_depth], prod(self._block())
        return (*batch, length, length)

    def _complex_spectrum(self) -> Tensor:
        wide = self.dtype in (dtypes.float64, dtypes.complex128)
        return cast(self.spectrum, dtypes.complex128 if wide else dtypes.complex64)

    def _filtered(self, x: Tensor, factors: Tensor) -> Tensor:
        """The columns transformed, each frequency by its factor, and transformed back."""
        forward, backward = _TRANSFORMS[self.block_depth]
        rows = matrix_transpose(cast(x, factors.dtype))
        grid = reshape(rows, [*rows._array.shape[:-1], *self._block()])
        batch = factors._array.shape[: -self.block_depth]
        beside = reshape(factors, [*batch, 1, *self._block()])
        moved = backward(forward(grid) * beside)
        flat = reshape(moved, [*moved._array.shape[: -self.block_depth], prod(self._block())])
        return cast(matrix_transpose(flat), self.dtype)

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        spectrum = self._complex_spectrum()
        return self._filtered(x, conj(spectrum) if adjoint else spectrum)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        spectrum = self._complex_spectrum()
        return self._filtered(rhs, 1.0 / (conj(spectrum) if adjoint else spectrum))

    def _all_frequencies(self) -> Tensor:
        spectrum = self._complex_spectrum()
        return reshape(spectrum, [*self._lengths()[:-2], self._lengths()[-1]])

    def _eigvals(self) -> Tensor:
        return cast(self._all_frequencies(), self.dtype)

    def _determinant(self) -> Tensor:
        return cast(reduce_prod(self._all_frequencies(), -1), self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        logs = reduce_sum(log(abs(self._all_frequencies())), -1)
        return cast(logs, self.dtype)

    def _inverse(self) -> LinearOperator:
        return type(self)(1.0 / self._complex_spectrum(), self.dtype, is_non_singular=True)

    def _adjoint(self) -> LinearOperator:
        return type(self)(conj(self._complex_spectrum()), self.dtype)

    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """The kernel of the operator's convolution: the inverse transform of its spectrum."""
        _, backward = _TRANSFORMS[self.block_depth]
        return cast(backward(self._complex_spectrum()), self.dtype)


@public("linalg.LinearOperatorCirculant")
class LinearOperatorCirculant(Circulant):
    """A matrix each row of which is the one above moved by one, given by its spectrum.

    ``input_output_dtype`` is the dtype of operands and results; a spectrum with the symmetry of
    real kernels may have a real one.

    >>> import cinta as tf
    >>> operator = tf.linalg.LinearOperatorCirculant([6.0, 3.0, 3.0], tf.float32)
    >>> operator.to_dense().numpy().round(4)
    array([[4., 1., 1.],
           [1., 4., 1.],
           [1., 1., 4.]], dtype=float32)
    >>> operator.convolution_kernel().numpy(), operator.block_shape
    (array([4., 1., 1.], dtype=float32), TensorShape([3]))
    """


@public("linalg.LinearOperatorCirculant2D")
class LinearOperatorCirculant2D(Circulant):
    """A block circulant matrix, which convolves images, given by its spectrum.

    ``input_output_dtype`` is the dtype of operands and results.

    >>> import cinta as tf
    >>> operator = tf.linalg.LinearOperatorCirculant2D(tf.ones([2, 2]), tf.float32)
    >>> operator.block_shape, operator.shape
    (TensorShape([2, 2]), TensorShape([4, 4]))
    >>> operator.convolution_kernel().numpy()
    array([[1., 0.],
           [0., 0.]], dtype=float32)
    """

    block_depth = 2
    batched: ClassVar[dict[str, int]] = {"spectrum": 2}


@public("linalg.LinearOperatorCirculant3D")
class LinearOperatorCirculant3D(Circulant):
    """A nested block circulant matrix, which convolves volumes, given by its spectrum.

    ``input_output_dtype`` is the dtype of operands and results.

    >>> import cinta as tf
    >>> operator = tf.linalg.LinearOperatorCirculant3D(tf.ones([2, 2, 2]), tf.float32)
    >>> operator.block_shape, operator.shape
    (TensorShape([2, 2, 2]), TensorShape([8, 8]))
    >>> operator.convolution_kernel().numpy()[0, 0]
    array([1., 0.], dtype=float32)
    """

    block_depth = 3
    batched: ClassVar[dict[str, int]] = {"spectrum": 3}
