"""Fourier transforms, of complex and of real numbers, and the order of what they give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ....dtypes import complex64, float32
from ....engine.convert import as_tensor, convert_to_tensor
from ....engine.fast_calls import on_one
from ....engine.op import Op
from ....engine.shapes import Shape, written
from ....engine.tensor import seen
from ....errors import InvalidArgumentError
from ....public import public
from ...arguments import axis_from_right, integers, tensor_of
from ...arrays.reordering import Roll
from ..arguments import INT32, check_rank, fitted
from .rules import (
    FFT,
    FFT2D,
    FFT3D,
    IFFT,
    IFFT2D,
    IFFT3D,
    IRFFT,
    IRFFT2D,
    IRFFT3D,
    RFFT,
    RFFT2D,
    RFFT3D,
    bins,
)

if TYPE_CHECKING:
    from ....engine.annotations import AxisLike, NumericLike, ShapeLike
    from ....engine.tensor import Tensor


# -- arguments ---------------------------------------------------------------------------------


def spectrum_or_signal(op: Op, input: NumericLike) -> Tensor:
    """The input of a complex transform: real numbers and arrays become complex64."""
    x = as_tensor(input)
    if isinstance(input, np.ndarray) or x._array.dtype.kind != "c":
        x = convert_to_tensor(input, dtype_hint=complex64)
    return tensor_of(op.name, x, "c")


def real_signal(input: NumericLike) -> Tensor:
    x = convert_to_tensor(input, dtype_hint=float32)
    if x._array.dtype.char not in "fd":
        raise ValueError(
            f"RFFT requires tf.float32 or tf.float64 inputs, got: {x}. Use tf.cast(x, tf.float32)."
        )
    return x


def half_spectrum(input: NumericLike) -> Tensor:
    x = convert_to_tensor(input, dtype_hint=complex64)
    if x._array.dtype.kind != "c":
        raise ValueError(
            f"IRFFT requires tf.complex64 or tf.complex128 inputs, got: {x}. "
            "Use tf.cast(x, tf.complex64)."
        )
    return x


def whole_length(lengths: Shape) -> Shape:
    """The lengths of the real signal that these lengths of half its spectrum suggest."""
    return (*lengths[:-1], max(0, 2 * (lengths[-1] - 1)))


def lengths_argument(op: Op, fft_length: ShapeLike | None, own: Shape) -> Shape:
    """The argument `fft_length`: a length for each axis to transform, or None for its own."""
    if fft_length is None:
        return own
    array = np.asarray(seen(as_tensor(fft_length, INT32)))
    if not array.ndim:
        raise TypeError(
            f"fft_length is a list with a length for each axis, such as [{fft_length}]; "
            f"got the number {fft_length!r}."
        )
    if array.shape != (len(own),):
        raise InvalidArgumentError(
            f"fft_length must have shape [{len(own)}], got {written(array.shape)} [Op:{op.name}]"
        )
    lengths = tuple(array.tolist())
    if min(lengths) < 0:
        raise InvalidArgumentError(
            f"fft_length must >= 0 everywhere, but got: {list(lengths)} [Op:{op.name}]"
        )
    return lengths


# -- over the last axes ------------------------------------------------------------------------


def _complex(op: Op, input: NumericLike, rank: int) -> Tensor:
    x = spectrum_or_signal(op, input)
    if x._array.ndim < rank:
        raise InvalidArgumentError(
            f"Input must have rank of at least {rank} but got: {written(x._array.shape)} "
            f"[Op:{op.name}]"
        )
    return on_one(op, x)


def _forward(op: Op, input: NumericLike, fft_length: Any, rank: int) -> Tensor:
    x = real_signal(input)
    check_rank(x, rank)
    axes = tuple(range(-rank, 0))
    lengths = lengths_argument(op, fft_length, x._array.shape[-rank:])
    return on_one(op, fitted(x, axes, lengths), fft_length=lengths)


def _back(op: Op, input: Any, fft_length: Any, rank: int) -> Tensor:
    x = half_spectrum(input)
    check_rank(x, rank)
    axes = tuple(range(-rank, 0))
    lengths = lengths_argument(op, fft_length, whole_length(x._array.shape[-rank:]))
    return on_one(op, fitted(x, axes, bins(lengths)), fft_length=lengths)


@public("signal.fft")
def fft(input: NumericLike, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of complex numbers along the last axis.

    >>> import cinta as tf
    >>> tf.signal.fft(tf.constant([1, 0, 0, 0], tf.complex64)).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)

    Args:
        input: A tensor of complex numbers.
    """
    return _complex(FFT, input, 1)


@public("signal.ifft")
def ifft(input: NumericLike, name: str | None = None) -> Tensor:
    """The inverse of `fft`.

    >>> import cinta as tf
    >>> tf.signal.ifft(tf.constant([4, 0, 0, 0], tf.complex64)).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)

    Args:
        input: A tensor of complex numbers.
    """
    return _complex(IFFT, input, 1)


@public("signal.fft2d")
def fft2d(input: NumericLike, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of complex numbers over the last two axes.

    >>> import cinta as tf
    >>> tf.signal.fft2d(tf.ones([2, 2], tf.complex64)).numpy()
    array([[4.+0.j, 0.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)

    Args:
        input: A tensor of complex numbers.
    """
    return _complex(FFT2D, input, 2)


@public("signal.ifft2d")
def ifft2d(input: NumericLike, name: str | None = None) -> Tensor:
    """The inverse of `fft2d`.

    >>> import cinta as tf
    >>> tf.signal.ifft2d([[4, 0], [0, 0]]).numpy()
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]], dtype=complex64)

    Args:
        input: A tensor of complex numbers.
    """
    return _complex(IFFT2D, input, 2)


@public("signal.fft3d")
def fft3d(input: NumericLike, name: str | None = None) -> Tensor:
    """The discrete Fourier transform of complex numbers over the last three axes.

    >>> import cinta as tf
    >>> tf.signal.fft3d(tf.ones([2, 2, 2], tf.complex64))[0, 0].numpy()
    array([8.+0.j, 0.+0.j], dtype=complex64)

    Args:
        input: A tensor of complex numbers.
    """
    return _complex(FFT3D, input, 3)


@public("signal.ifft3d")
def ifft3d(input: NumericLike, name: str | None = None) -> Tensor:
    """The inverse of `fft3d`.

    >>> import cinta as tf
    >>> tf.signal.ifft3d(tf.ones([2, 2, 2], tf.complex64))[0, 0].numpy()
    array([1.+0.j, 0.+0.j], dtype=complex64)

    Args:
        input: A tensor of complex numbers.
    """
    return _complex(IFFT3D, input, 3)


@public("signal.rfft")
def rfft(
    input_tensor: NumericLike, fft_length: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """The discrete Fourier transform of real numbers along the last axis.

    The first half of it, ``fft_length // 2 + 1`` numbers: the rest mirrors them. ``fft_length`` is
    a list of one number; to this length the input is cut, or goes on with zeros.

    >>> import cinta as tf
    >>> tf.signal.rfft([1.0, 2.0, 3.0, 4.0]).numpy()
    array([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64)
    >>> tf.signal.rfft([1.0, 2.0, 3.0, 4.0], fft_length=[8]).shape
    TensorShape([5])

    Args:
        input_tensor: A tensor of real numbers.
        fft_length: A list of lengths, to which the axes of the transform are cut or filled up with
            zeros.
    """
    return _forward(RFFT, input_tensor, fft_length, 1)


@public("signal.irfft")
def irfft(
    input_tensor: NumericLike, fft_length: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """The inverse of `rfft`: real numbers from half of their spectrum.

    ``fft_length`` is a list with the length of the result, which is even unless you say otherwise.

    >>> import cinta as tf
    >>> tf.signal.irfft([10.0 + 0.0j, -2.0 + 2.0j, -2.0 + 0.0j]).numpy()
    array([1., 2., 3., 4.], dtype=float32)

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: A list of lengths of the result, for the axes of the transform; None for what
            the input has.
    """
    return _back(IRFFT, input_tensor, fft_length, 1)


@public("signal.rfft2d")
def rfft2d(
    input_tensor: NumericLike, fft_length: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """The discrete Fourier transform of real numbers over the last two axes; half of the last.

    >>> import cinta as tf
    >>> tf.signal.rfft2d([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([[10.+0.j, -2.+0.j],
           [-4.+0.j,  0.+0.j]], dtype=complex64)

    Args:
        input_tensor: A tensor of real numbers.
        fft_length: A list of lengths, to which the axes of the transform are cut or filled up with
            zeros.
    """
    return _forward(RFFT2D, input_tensor, fft_length, 2)


@public("signal.irfft2d")
def irfft2d(
    input_tensor: NumericLike, fft_length: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """The inverse of `rfft2d`.

    >>> import cinta as tf
    >>> tf.signal.irfft2d(tf.signal.rfft2d([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([[1., 2.],
           [3., 4.]], dtype=float32)

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: A list of lengths of the result, for the axes of the transform; None for what
            the input has.
    """
    return _back(IRFFT2D, input_tensor, fft_length, 2)


@public("signal.rfft3d")
def rfft3d(
    input_tensor: NumericLike, fft_length: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """The discrete Fourier transform of real numbers over the last three axes; half of the last.

    >>> import cinta as tf
    >>> tf.signal.rfft3d(tf.ones([2, 2, 2]))[0, 0].numpy()
    array([8.+0.j, 0.+0.j], dtype=complex64)

    Args:
        input_tensor: A tensor of real numbers.
        fft_length: A list of lengths, to which the axes of the transform are cut or filled up with
            zeros.
    """
    return _forward(RFFT3D, input_tensor, fft_length, 3)


@public("signal.irfft3d")
def irfft3d(
    input_tensor: NumericLike, fft_length: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """The inverse of `rfft3d`.

    >>> import cinta as tf
    >>> tf.signal.irfft3d(tf.ones([2, 2, 2], tf.complex64))[0, 0].numpy()
    array([1., 0.], dtype=float32)

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: A list of lengths of the result, for the axes of the transform; None for what
            the input has.
    """
    return _back(IRFFT3D, input_tensor, fft_length, 3)


# -- order -------------------------------------------------------------------------------------


def _rolled(x: NumericLike, axes: AxisLike | None, sign: int) -> Tensor:
    tensor = as_tensor(x)
    shape = tensor._array.shape
    given = range(-len(shape), 0) if axes is None else integers(axes, "axes")
    places = tuple([axis_from_right("Roll", i, len(shape), "axes") for i in given])
    shift = tuple([sign * (shape[i] // 2) for i in places])
    return on_one(Roll, tensor, shift=shift, axis=places)


@public("signal.fftshift")
def fftshift(x: NumericLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor:
    """The halves of axes, or of all axes, exchanged, so that frequency zero is in the middle.

    >>> import cinta as tf
    >>> tf.signal.fftshift([0, 1, 2, -2, -1]).numpy()
    array([-2, -1,  0,  1,  2], dtype=int32)

    Args:
        x: A tensor.
        axes: The axes; None for all.
    """
    return _rolled(x, axes, 1)


@public("signal.ifftshift")
def ifftshift(x: NumericLike, axes: AxisLike | None = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`: frequency zero comes first again.

    >>> import cinta as tf
    >>> tf.signal.ifftshift([-2, -1, 0, 1, 2]).numpy()
    array([ 0,  1,  2, -2, -1], dtype=int32)

    Args:
        x: A tensor.
        axes: The axes; None for all.
    """
    return _rolled(x, axes, -1)
