"""Windows: weights that make what is in a frame begin and end gently."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...dtypes import DType
from ...engine.convert import as_tensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arrays.joining import concat
from ..arrays.reordering import reverse
from ..elementwise.arithmetic import subtract
from ..elementwise.bessel import bessel_i0e
from ..elementwise.casting import cast
from ..elementwise.unary import exp, sqrt
from ..reductions.scanning import cumsum
from .arguments import INT32, count

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, NumericLike
    from ...engine.tensor import Array, Tensor


def _length(window_length: IntLike) -> int:
    return count(window_length, "window_length", INT32)


def _floating(dtype: DTypeLike) -> DType:
    found = dtypes.as_dtype(dtype)
    if not found.is_floating:
        raise ValueError(f"dtype must be a floating point type. Found {found!r}")
    return found


@lru_cache(maxsize=64)
def _raised_cosine(length: int, period: int, mean: float, dtype: DTypeLike) -> Array:
    """A constant minus a cosine, between 1 and twice the constant minus 1; kept for the next."""
    if length == 1:
        return np.ones(1, dtype)
    turns = np.arange(length) / period
    window: Array = (mean - (1 - mean) * np.cos(2 * np.pi * turns)).astype(dtype)
    window.flags.writeable = False
    return window


def _cosine_window(window_length: IntLike, periodic: bool, mean: float, dtype: DTypeLike) -> Tensor:
    wanted, length = _floating(dtype), _length(window_length)
    flag = as_tensor(periodic, np.dtype(bool))
    flag.shape.assert_has_rank(0)
    period = length if seen(flag) and length % 2 == 0 else length - 1
    return wrap(_raised_cosine(length, period, mean, wanted.dtype))


@public("signal.hann_window")
def hann_window(
    window_length: IntLike,
    periodic: bool = True,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The Hann window: a raised cosine that begins with 0.

    A periodic one, if its length is even, goes on smoothly where the next begins; one that is not
    is symmetric.

    >>> import cinta as tf
    >>> tf.signal.hann_window(4).numpy()
    array([0. , 0.5, 1. , 0.5], dtype=float32)
    >>> tf.signal.hann_window(4, periodic=False).numpy()
    array([0.  , 0.75, 0.75, 0.  ], dtype=float32)

    Args:
        window_length: How many numbers the window has.
        periodic: Whether it goes on smoothly where the next begins.
        dtype: A floating-point dtype.
    """
    return _cosine_window(window_length, periodic, 0.5, dtype)


@public("signal.hamming_window")
def hamming_window(
    window_length: IntLike,
    periodic: bool = True,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The Hamming window: a raised cosine that begins with 0.08.

    >>> import cinta as tf
    >>> tf.signal.hamming_window(4).numpy()
    array([0.08, 0.54, 1.  , 0.54], dtype=float32)

    Args:
        window_length: How many numbers the window has.
        periodic: Whether it goes on smoothly where the next begins.
        dtype: A floating-point dtype.
    """
    return _cosine_window(window_length, periodic, 0.54, dtype)


@public("signal.vorbis_window")
def vorbis_window(
    window_length: IntLike, dtype: DTypeLike = dtypes.float32, name: str | None = None
) -> Tensor:
    """The window of the Vorbis codec; the squares of its halves add up to 1.

    >>> import cinta as tf
    >>> tf.signal.vorbis_window(4).numpy().round(3)
    array([0.228, 0.974, 0.974, 0.228], dtype=float32)

    Args:
        window_length: How many numbers the window has.
        dtype: A floating-point dtype.
    """
    wanted, length = _floating(dtype), _length(window_length)
    half_turns = (np.arange(length) + 0.5) / max(length, 1)
    window = np.sin(np.pi / 2 * np.sin(np.pi * half_turns) ** 2)
    return wrap(window.astype(wanted.dtype))


@public("signal.kaiser_window")
def kaiser_window(
    window_length: IntLike,
    beta: NumericLike = 12.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The Kaiser window, which is the narrower the greater ``beta`` is.

    It is differentiable by ``beta``.

    >>> import cinta as tf
    >>> tf.signal.kaiser_window(5, beta=4.0).numpy().round(3)
    array([0.088, 0.633, 1.   , 0.633, 0.088], dtype=float32)

    Args:
        window_length: How many numbers the window has.
        beta: How narrow it is.
        dtype: A floating-point dtype.

    Raises:
        ValueError: If the dtype is another.
        InvalidArgumentError: If the length is negative.
    """
    wanted, length = _floating(dtype), _length(window_length)
    if length == 0:
        raise InvalidArgumentError("`window_length` of a Kaiser window must be at least 1, got 0.")
    if length == 1:
        return wrap(np.ones(1, wanted.dtype))
    offset = np.linspace(-1.0, 1.0, length)
    height = wrap(np.sqrt(1 - offset**2).astype(wanted.dtype))
    steepness: Tensor = cast(beta, wanted)
    inner = steepness * height
    bend = bessel_i0e(inner) / bessel_i0e(steepness)
    return exp(subtract(inner, steepness)) * bend


@public("signal.kaiser_bessel_derived_window")
def kaiser_bessel_derived_window(
    window_length: IntLike,
    beta: NumericLike = 12.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The window that is made of sums of a Kaiser window; the squares of its halves add up to 1.

    >>> import cinta as tf
    >>> tf.signal.kaiser_bessel_derived_window(4, beta=4.0).numpy().round(3)
    array([0.274, 0.962, 0.962, 0.274], dtype=float32)

    Args:
        window_length: How many numbers the window has.
        beta: How narrow it is.
        dtype: A floating-point dtype.
    """
    sums = cumsum(kaiser_window(_length(window_length) // 2 + 1, beta, dtype))
    half = sqrt(sums[:-1] / sums[-1])
    return concat([half, reverse(half, [0])], 0)
