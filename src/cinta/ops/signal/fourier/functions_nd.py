"""Fourier transforms over any axes."""

from __future__ import annotations

from math import prod, sqrt
from typing import TYPE_CHECKING

from ....engine.fast_calls import on_one
from ....engine.op import Op
from ....engine.shapes import Shape
from ....errors import InvalidArgumentError
from ....public import public
from ...arguments import axis_from_right, integers, text
from ..arguments import check_rank, fitted
from .functions import (
    half_spectrum,
    lengths_argument,
    real_signal,
    spectrum_or_signal,
    whole_length,
)
from .rules import FFTND, IFFTND, IRFFTND, RFFTND, bins

if TYPE_CHECKING:
    from ....engine.annotations import AxisLike, NumericLike, ShapeLike
    from ....engine.tensor import Tensor


def _axes(op: Op, x: Tensor, axes: AxisLike | None) -> Shape:
    """The axes to transform, in their order and counted from the right."""
    check_rank(x, 1)
    rank = x._array.ndim
    if axes is None:
        return tuple(range(-rank, 0))
    given = tuple([axis_from_right(op.name, i, rank, "axes") for i in integers(axes, "axes")])
    if not given or len(set(given)) < len(given):
        raise InvalidArgumentError(f"axes must name axes, each once, got {axes!r} [Op:{op.name}]")
    return given


def _own(x: Tensor, axes: Shape) -> Shape:
    return tuple([x._array.shape[i] for i in axes])


def _scale(norm: str | None, lengths: Shape, inverse: bool = False) -> float:
    """The factor that makes a transform of the plain sum, or an inverse of the plain inverse."""
    if norm is not None:
        text(norm, "norm")
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"norm must be None, 'backward', 'ortho' or 'forward', got {norm!r}.")
    n = prod(lengths)
    scale = {"ortho": sqrt(n), "forward": float(n)}.get(norm or "backward", 1.0)
    return scale if inverse or not scale else 1 / scale


def _scaled(x: Tensor, scale: float) -> Tensor:
    return x if scale == 1 else x * scale


def _complex(
    op: Op,
    given: NumericLike,
    fft_length: ShapeLike | None,
    axes: AxisLike | None,
    norm: str | None,
    inverse: bool,
) -> Tensor:
    """The transform of complex numbers by this op."""
    x = spectrum_or_signal(op, given)
    places = _axes(op, x, axes)
    lengths = lengths_argument(op, fft_length, _own(x, places))
    scale = _scale(norm, lengths, inverse)
    return _scaled(on_one(op, fitted(x, places, lengths), axes=places), scale)


@public("fftnd", "signal.fftnd")
def fftnd(
    input_tensor: NumericLike,
    fft_length: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete Fourier transform of complex numbers over some axes, or over all.

    ``fft_length`` lists a length for each of the axes; to it the input is cut, or goes on with
    zeros. ``norm`` says which direction divides by the size: the inverse ("backward", the same
    as None), this transform ("forward"), or both by its square root ("ortho").

    >>> import cinta as tf
    >>> tf.signal.fftnd(tf.ones([2, 2], tf.complex64), axes=[0]).numpy()
    array([[2.+0.j, 2.+0.j],
           [0.+0.j, 0.+0.j]], dtype=complex64)

    Args:
        input_tensor: A tensor of complex numbers.
    """
    return _complex(FFTND, input_tensor, fft_length, axes, norm, inverse=False)


@public("ifftnd", "signal.ifftnd")
def ifftnd(
    input_tensor: NumericLike,
    fft_length: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `fftnd`, which takes the same arguments.

    >>> import cinta as tf
    >>> x = tf.constant([[1, 2], [3, 4]], tf.complex64)
    >>> tf.signal.ifftnd(tf.signal.fftnd(x)).numpy()
    array([[1.+0.j, 2.+0.j],
           [3.+0.j, 4.+0.j]], dtype=complex64)

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: A length for each of the axes, to which the input is cut or filled up with
            zeros.
        axes: The axes; None for all.
        norm: Which direction divides by the size: "backward" or None, "forward" or "ortho".
    """
    return _complex(IFFTND, input_tensor, fft_length, axes, norm, inverse=True)


@public("rfftnd", "signal.rfftnd")
def rfftnd(
    input_tensor: NumericLike,
    fft_length: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The transform of real numbers over some axes, or over all; half of the last one listed.

    The arguments are those of `fftnd`.

    >>> import cinta as tf
    >>> tf.signal.rfftnd(tf.ones([2, 4])).shape
    TensorShape([2, 3])

    Args:
        input_tensor: A tensor of real numbers.
        fft_length: A length for each of the axes, to which the input is cut or filled up with
            zeros.
        axes: The axes; None for all.
        norm: Which direction divides by the size: "backward" or None, "forward" or "ortho".
    """
    x = real_signal(input_tensor)
    places = _axes(RFFTND, x, axes)
    lengths = lengths_argument(RFFTND, fft_length, _own(x, places))
    scale = _scale(norm, lengths)
    spectrum = on_one(RFFTND, fitted(x, places, lengths), fft_length=lengths, axes=places)
    return _scaled(spectrum, scale)


@public("irfftnd", "signal.irfftnd")
def irfftnd(
    input_tensor: NumericLike,
    fft_length: ShapeLike | None = None,
    axes: AxisLike | None = None,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `rfftnd`, which takes the same arguments.

    >>> import cinta as tf
    >>> tf.signal.irfftnd(tf.signal.rfftnd(tf.ones([2, 4]))).shape
    TensorShape([2, 4])

    Args:
        input_tensor: A tensor of complex numbers.
        fft_length: A length of the result for each of the axes.
        axes: The axes; None for all.
        norm: Which direction divides by the size: "backward" or None, "forward" or "ortho".
    """
    x = half_spectrum(input_tensor)
    places = _axes(IRFFTND, x, axes)
    own = whole_length(_own(x, places))
    lengths = lengths_argument(IRFFTND, fft_length, own)
    scale = _scale(norm, lengths, inverse=True)
    half = fitted(x, places, bins(lengths))
    return _scaled(on_one(IRFFTND, half, fft_length=lengths, axes=places), scale)
