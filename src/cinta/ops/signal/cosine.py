"""Cosine transforms, of whole signals and of frames that overlap by half."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.tensor import wrap
from ...public import public
from ..arguments import text, whole_number
from ..arrays.joining import concat, split
from ..arrays.reordering import reverse
from ..elementwise.casting import cast
from ..elementwise.complex_numbers import real
from .arguments import check_rank, count, fitted
from .fourier.functions import irfft, rfft
from .framing import frame, overlap_and_add
from .window_functions import vorbis_window

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import AxisLike, DTypeLike, IntLike, NumericLike
    from ...engine.tensor import Array, Tensor

_INVERSE = {1: 1, 2: 3, 3: 2, 4: 4}
"""The type that undoes each type, but for a factor."""


def _check(x: Tensor, type: int, n: int | None, axis: AxisLike, norm: str | None) -> None:
    if whole_number(axis, "axis") != -1:
        raise NotImplementedError(f"axis must be -1. Got: {axis}")
    if n is not None and n < 1:
        raise ValueError(f"n should be a positive integer or None, got {n}.")
    if whole_number(type, "type") not in _INVERSE:
        raise ValueError(f"Types 1, 2, 3 and 4 of (I)DCT are supported, got {type!r}.")
    if norm is not None and text(norm, "norm") != "ortho":
        raise ValueError(f"Unknown normalization. Expected None or 'ortho', got: {norm}")
    check_rank(x, 1)
    if type == 1 and norm == "ortho":
        raise ValueError("Normalization is not supported for the Type-I DCT.")
    if type == 1 and x._array.shape[-1] < 2:
        raise ValueError("Type-I DCT requires the dimension to be greater than one.")
    if x._array.dtype.char not in "fd":
        raise TypeError(
            f"The DCT takes tf.float32 or tf.float64, got {x.dtype!r}. Use tf.cast(x, tf.float32)."
        )


@lru_cache(maxsize=64)
def _turn(n: int, dtype: DTypeLike) -> Array:
    """Turns of the first n of 2n frequencies by half a place, and times two."""
    turn = 2 * np.exp(-0.5j * np.pi / max(n, 1) * np.arange(n))
    result: Array = turn.astype(np.result_type(dtype, np.complex64))
    return result


def _orthonormal(n: int, dtype: DTypeLike) -> Tensor:
    """The factors that make type 2 an orthonormal matrix."""
    scales = np.full(n, sqrt(0.5 / max(n, 1)))
    scales[:1] *= sqrt(0.5)
    return wrap(scales.astype(dtype))


def _type_1(x: Tensor, norm: str | None) -> Tensor:
    there_and_back = concat([x, x[..., -2:0:-1]], -1)
    return real(rfft(there_and_back))


def _type_2(x: Tensor, norm: str | None) -> Tensor:
    n, dtype = x._array.shape[-1], x._array.dtype
    spectrum = rfft(x, [2 * n])[..., :n]
    result = real(spectrum * _turn(n, dtype))
    return result if norm is None else result * _orthonormal(n, dtype)


def _type_3(x: Tensor, norm: str | None) -> Tensor:
    n, dtype = x._array.shape[-1], x._array.dtype
    x = x * float(n) if norm is None else x / _orthonormal(n, dtype) * 0.5
    turn = _turn(n, dtype).conj()
    return irfft(cast(x, turn.dtype) * turn, [2 * n])[..., :n]


def _type_4(x: Tensor, norm: str | None) -> Tensor:
    n = x._array.shape[-1]
    result = _type_2(fitted(x, (-1,), (2 * n,)), None)[..., 1::2]
    return result if norm is None else result * sqrt(0.5 / max(n, 1))


_TYPES = {1: _type_1, 2: _type_2, 3: _type_3, 4: _type_4}


@public("signal.dct")
def dct(
    input: NumericLike,
    type: int = 2,
    n: IntLike | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete cosine transform along the last axis, of type 1, 2, 3 or 4.

    To the length ``n`` the input is cut, or goes on with zeros. With ``norm="ortho"`` types 2, 3
    and 4 are orthonormal matrices.

    >>> import cinta as tf
    >>> tf.signal.dct([1.0, 0.0, 0.0]).numpy().round(3)
    array([2.   , 1.732, 1.   ], dtype=float32)
    """
    x = as_tensor(input)
    length = None if n is None else whole_number(n, "n")
    _check(x, type, length, axis, norm)
    if length is not None:
        x = fitted(x, (-1,), (length,))
    return _TYPES[type](x, norm)


@public("signal.idct")
def idct(
    input: NumericLike,
    type: int = 2,
    n: IntLike | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `dct` of the same type; where ``norm`` is None, but for a factor.

    The factor is twice the length of the signal (twice the length minus one, for type 1).

    >>> import cinta as tf
    >>> x = tf.constant([1.0, 2.0, 3.0, 4.0])
    >>> (tf.signal.idct(tf.signal.dct(x)) / (2 * 4)).numpy().round(3)
    array([1., 2., 3., 4.], dtype=float32)
    >>> tf.signal.idct(tf.signal.dct(x, norm="ortho"), norm="ortho").numpy().round(3)
    array([1., 2., 3., 4.], dtype=float32)

    Args:
        input: Real signals, along the last axis.
        type: 1, 2, 3 or 4.
        n: The length of the result, to which the input is cut or filled up with zeros; None for its
            own.
        axis: -1.
        norm: None or "ortho".
    """
    return dct(input, _INVERSE.get(whole_number(type, "type"), type), n, axis, norm)


# -- frames that overlap by half ---------------------------------------------------------------


def _windowed(frames: Tensor, window_fn: Callable[..., Tensor] | None) -> Tensor:
    if window_fn is None:
        return frames * sqrt(0.5)
    window = window_fn(as_tensor(frames._array.shape[-1]), dtype=frames.dtype)
    weighted: Tensor = frames * window
    return weighted


@public("signal.mdct")
def mdct(
    signals: NumericLike,
    frame_length: IntLike,
    window_fn: Callable[..., Tensor] | None = vorbis_window,
    pad_end: bool = False,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The modified discrete cosine transform: of frames that overlap by half, half as many numbers.

    The length of the frames is a multiple of 4. ``window_fn(frame_length, dtype=...)`` gives their
    weights; None stands for the square root of 0.5 everywhere.

    >>> import cinta as tf
    >>> tf.signal.mdct(tf.ones([16]), frame_length=8).shape
    TensorShape([3, 4])

    Args:
        signals: Real signals, along the last axis.
        frame_length: The length of the frames.
        window_fn: The window.
        pad_end: Whether to put zeros behind the signal, for its last frames.
        norm: None or "ortho", which scales by the square root of half the length.

    Raises:
        ValueError: If ``norm`` is another, or the length is not a multiple of 4.
    """
    x = as_tensor(signals)
    check_rank(x, 1)
    length = count(frame_length, "frame_length")
    if length % 4:
        raise ValueError(f"The frame length must be a multiple of 4, got {length}.")
    frames = _windowed(frame(x, length, length // 2, pad_end=pad_end), window_fn)
    a, b, c, d = split(frames, 4, axis=-1)
    folded = concat([-reverse(c, [-1]) - d, a - reverse(b, [-1])], -1)
    return dct(folded, type=4, norm=norm)


@public("signal.inverse_mdct")
def inverse_mdct(
    mdcts: NumericLike,
    window_fn: Callable[..., Tensor] | None = vorbis_window,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The signal of which this is the `mdct`; what only one frame has seen is not restored.

    >>> import cinta as tf
    >>> x = tf.range(16.0)
    >>> tf.signal.inverse_mdct(tf.signal.mdct(x, frame_length=8)).numpy()[4:12].round(3)
    array([ 4.,  5.,  6.,  7.,  8.,  9., 10., 11.], dtype=float32)

    Args:
        mdcts: What `mdct` gave.
        window_fn: The window that `mdct` was given.
        norm: None or "ortho", as `mdct` was given.
    """
    x = as_tensor(mdcts)
    check_rank(x, 2)
    half = x._array.shape[-1]
    folded = dct(x, type=4, norm=norm)
    if norm is None:
        folded = folded * (0.5 / max(half, 1))
    low, high = split(folded, 2, axis=-1)
    frames = concat([high, -reverse(high, [-1]), -reverse(low, [-1]), -low], -1)
    return overlap_and_add(_windowed(frames, window_fn), half)
