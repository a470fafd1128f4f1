"""The Fourier transforms as ops, over the last one, two or three axes or over any.

The discrete Fourier transform is a symmetric matrix, so the complex ones are their own transposes.
A real signal needs only half of its spectrum, because the other half mirrors it: each number in
the half that is kept stands for two of the whole, but for the first one and, where the length is
even, the last. So the transposes of the real transforms are each other, but for these factors.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....engine.op import Op, op
from ....engine.parallel import threads
from ....engine.primitives import Conj
from ....engine.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....engine.annotations import ArrayModule
    from ....engine.tensor import Array

_SHARE = 1 << 17
"""From so many numbers on, another thread is worth its start."""


@cache
def transforms(xp: ArrayModule) -> Any:
    """The module of Fourier transforms that goes with an array module.

    SciPy's takes half of the time of NumPy's in single precision, and runs on several threads.
    """
    return import_module("scipy.fft") if xp is np else xp.fft


def transformed(xp: ArrayModule, function: str, x: Array, lengths: Shape, axes: Shape) -> Array:
    """Call a function of the library that transforms along axes, to these lengths."""
    shares = {"workers": min(threads(), x.size // _SHARE) or 1} if xp is np else {}
    result: Array = getattr(transforms(xp), function)(x, lengths, axes, **shares)
    return result


def resized(shape: Shape, axes: Shape, lengths: Shape) -> Shape:
    """The shape with other lengths along axes, which are counted from the right."""
    sizes = list(shape)
    for axis, length in zip(axes, lengths, strict=True):
        sizes[axis] = length
    return tuple(sizes)


def bins(fft_length: Shape) -> Shape:
    """The lengths of the half of a spectrum that is kept, of a real signal of these lengths."""
    last = fft_length[-1]
    return (*fft_length[:-1], last // 2 + 1 if last else 0)


# -- kernels -----------------------------------------------------------------------------------


def complex_transform(xp: ArrayModule, function: str, x: Array, axes: Shape) -> Array:
    """Transform complex numbers along axes."""
    return transformed(xp, function, x, tuple([x.shape[i] for i in axes]), axes) if x.size else x


def to_half(xp: ArrayModule, x: Array, fft_length: Shape, axes: Shape) -> Array:
    """Half of the spectrum of real numbers."""
    if not x.size:
        shape = resized(x.shape, axes, bins(fft_length))
        return xp.zeros(shape, np.result_type(x.dtype, np.complex64))
    return transformed(xp, "rfftn", x, fft_length, axes)


def from_half(xp: ArrayModule, x: Array, fft_length: Shape, axes: Shape) -> Array:
    """The real numbers that have this as half of their spectrum."""
    if not x.size:
        return xp.zeros(resized(x.shape, axes, fft_length), x.real.dtype)
    return transformed(xp, "irfftn", x, fft_length, axes)


# -- ops over the last axes --------------------------------------------------------------------


def complex_op(name: str, function: str, rank: int) -> Op:
    """Declare the transform of complex numbers over so many last axes."""
    axes = tuple(range(-rank, 0))

    def kernel(xp: ArrayModule, input: Array) -> Array:
        return complex_transform(xp, function, input, axes)

    return Op(name, kernel, rowwise=True)


def real_op(name: str, half: Callable[..., Any], rank: int) -> Op:
    """Declare the transform of real numbers to half of their spectrum, or back."""
    axes = tuple(range(-rank, 0))

    def kernel(xp: ArrayModule, input: Array, *, fft_length: Shape) -> Array:
        result: Array = half(xp, input, fft_length, axes)
        return result

    return Op(name, kernel, rowwise=True)


FFT = complex_op("FFT", "fftn", 1)
FFT2D = complex_op("FFT2D", "fftn", 2)
FFT3D = complex_op("FFT3D", "fftn", 3)
IFFT = complex_op("IFFT", "ifftn", 1)
IFFT2D = complex_op("IFFT2D", "ifftn", 2)
IFFT3D = complex_op("IFFT3D", "ifftn", 3)

RFFT = real_op("RFFT", to_half, 1)
RFFT2D = real_op("RFFT2D", to_half, 2)
RFFT3D = real_op("RFFT3D", to_half, 3)
IRFFT = real_op("IRFFT", from_half, 1)
IRFFT2D = real_op("IRFFT2D", from_half, 2)
IRFFT3D = real_op("IRFFT3D", from_half, 3)


# -- ops over any axes -------------------------------------------------------------------------


@op("FFTND", rowwise=True)
def FFTND(xp: ArrayModule, input: Array, *, axes: Shape) -> Array:
    """The transform of complex numbers over axes that are counted from the right."""
    return complex_transform(xp, "fftn", input, axes)


@op("IFFTND", rowwise=True)
def IFFTND(xp: ArrayModule, input: Array, *, axes: Shape) -> Array:
    """The inverse of FFTND."""
    return complex_transform(xp, "ifftn", input, axes)


@op("RFFTND", rowwise=True)
def RFFTND(xp: ArrayModule, input: Array, *, fft_length: Shape, axes: Shape) -> Array:
    """The transform of real numbers; of the last one of the axes, half is kept."""
    return to_half(xp, input, fft_length, axes)


@op("IRFFTND", rowwise=True)
def IRFFTND(xp: ArrayModule, input: Array, *, fft_length: Shape, axes: Shape) -> Array:
    """The inverse of RFFTND."""
    return from_half(xp, input, fft_length, axes)


# -- rules -------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def share(fft_length: Shape, dtype: np.dtype[Any], axis: int = -1) -> Array:
    """The weight of each number of half a spectrum in the real numbers."""
    counts = np.full(bins(fft_length)[-1], 2, dtype)
    counts[:1] = 1
    if fft_length[-1] % 2 == 0:
        counts[-1:] = 1
    counts /= max(prod(fft_length), 1)
    counts.flags.writeable = False
    return counts.reshape((-1,) + (1,) * (-axis - 1))


@lru_cache(maxsize=64)
def spread(fft_length: Shape, dtype: np.dtype[Any], axis: int = -1) -> Array:
    """The inverse of `share`."""
    return 1 / share(fft_length, dtype, axis)


FFT.grads(input=lambda g: FFT(g))
FFT2D.grads(input=lambda g: FFT2D(g))
FFT3D.grads(input=lambda g: FFT3D(g))
FFTND.grads(input=lambda g, axes: FFTND(g, axes=axes))
IFFT.grads(input=lambda g: IFFT(g))
IFFT2D.grads(input=lambda g: IFFT2D(g))
IFFT3D.grads(input=lambda g: IFFT3D(g))
IFFTND.grads(input=lambda g, axes: IFFTND(g, axes=axes))

RFFT.grads(
    input=lambda g, fft_length, input_dtype: IRFFT(
        Conj(g) * spread(fft_length, input_dtype), fft_length=fft_length
    )
)
RFFT2D.grads(
    input=lambda g, fft_length, input_dtype: IRFFT2D(
        Conj(g) * spread(fft_length, input_dtype), fft_length=fft_length
    )
)
RFFT3D.grads(
    input=lambda g, fft_length, input_dtype: IRFFT3D(
        Conj(g) * spread(fft_length, input_dtype), fft_length=fft_length
    )
)
RFFTND.grads(
    input=lambda g, fft_length, axes, input_dtype: IRFFTND(
        Conj(g) * spread(fft_length, input_dtype, axes[-1]), fft_length=fft_length, axes=axes
    )
)
IRFFT.grads(
    input=lambda g, fft_length, out_dtype: (
        Conj(RFFT(g, fft_length=fft_length)) * share(fft_length, out_dtype)
    )
)
IRFFT2D.grads(
    input=lambda g, fft_length, out_dtype: (
        Conj(RFFT2D(g, fft_length=fft_length)) * share(fft_length, out_dtype)
    )
)
IRFFT3D.grads(
    input=lambda g, fft_length, out_dtype: (
        Conj(RFFT3D(g, fft_length=fft_length)) * share(fft_length, out_dtype)
    )
)
IRFFTND.grads(
    input=lambda g, fft_length, axes, out_dtype: (
        Conj(RFFTND(g, fft_length=fft_length, axes=axes)) * share(fft_length, out_dtype, axes[-1])
    )
)
