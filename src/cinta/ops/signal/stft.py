"""The short-time Fourier transform: the spectra of frames, and the signal that they are of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ...engine.convert import as_tensor
from ...public import public
from ..arrays.shaping import reshape
from ..arrays.tiling import tile
from ..elementwise.arithmetic import square
from ..elementwise.division import divide_no_nan
from ..reductions.reduction import reduce_sum
from .arguments import check_rank, count, fitted, step
from .fourier.functions import irfft, rfft
from .framing import frame, overlap_and_add
from .window_functions import hann_window

if TYPE_CHECKING:
    from ...dtypes import DType
    from ...engine.annotations import IntLike, NumericLike, ShapeLike
    from ...engine.tensor import Tensor

WindowFunction: TypeAlias = Callable[..., Any]
"""Takes the length of a window and, as keyword ``dtype``, its dtype."""


def _fft_length(fft_length: Any, frame_length: int) -> int:
    """The given length, or the power of two in which a frame fits."""
    if fft_length is not None:
        return count(fft_length, "fft_length")
    return 1 << (frame_length - 1).bit_length() if frame_length else 0


@public("signal.stft")
def stft(
    signals: NumericLike,
    frame_length: IntLike,
    frame_step: IntLike,
    fft_length: ShapeLike | None = None,
    window_fn: WindowFunction | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The short-time Fourier transform of real signals: ``[..., frames, fft_length // 2 + 1]``.

    The frames are weighted with a window and go on with zeros up to ``fft_length``, which is the
    next power of two unless you say otherwise.

    >>> import cinta as tf
    >>> tf.signal.stft(tf.ones([10]), frame_length=4, frame_step=2).shape
    TensorShape([4, 3])

    Args:
        signals: Real signals, along the last axis.
        frame_length: The length of the frames.
        frame_step: How far apart frames begin.
        fft_length: The length of the transform.
        window_fn: A function of a length and a dtype; None for no window.
        pad_end: Whether to put zeros behind the signal, for its last frames.
    """
    x = as_tensor(signals)
    check_rank(x, 1)
    length = count(frame_length, "frame_length")
    frames = frame(x, length, frame_step, pad_end=pad_end)
    if window_fn is not None:
        frames = frames * window_fn(as_tensor(frame_length), dtype=frames.dtype)
    return rfft(frames, [_fft_length(fft_length, length)])


@public("signal.inverse_stft")
def inverse_stft(
    stfts: NumericLike,
    frame_length: IntLike,
    frame_step: IntLike,
    fft_length: ShapeLike | None = None,
    window_fn: WindowFunction | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """The real signals of spectra of frames.

    With `inverse_stft_window_fn` as the window it is the inverse of `stft`, but for the ends of the
    signal, which fewer frames have seen.

    >>> import cinta as tf
    >>> spectra = tf.signal.stft(tf.range(8.0), frame_length=4, frame_step=2)
    >>> window = tf.signal.inverse_stft_window_fn(2)
    >>> tf.signal.inverse_stft(spectra, 4, 2, window_fn=window).numpy()[2:6].round(3)
    array([2., 3., 4., 5.], dtype=float32)

    Args:
        stfts: The spectra ``[..., frames, fft_length // 2 + 1]``.
        frame_length: The length of the frames.
        frame_step: How far apart frames begin.
        fft_length: The length of the transform; None for the next power of two.
        window_fn: The window of the synthesis; None for none.
    """
    x = as_tensor(stfts)
    check_rank(x, 2)
    length = count(frame_length, "frame_length")
    frames = fitted(irfft(x, [_fft_length(fft_length, length)]), (-1,), (length,))
    if window_fn is not None:
        frames = frames * window_fn(as_tensor(frame_length), dtype=frames.dtype)
    return overlap_and_add(frames, frame_step)


@public("signal.inverse_stft_window_fn")
def inverse_stft_window_fn(
    frame_step: IntLike, forward_window_fn: WindowFunction = hann_window, name: str | None = None
) -> WindowFunction:
    """The window for `inverse_stft` that makes up for the one that `stft` was given.

    It is the same window, divided by the sum of the squares of all windows that see a place.

    >>> import cinta as tf
    >>> tf.signal.inverse_stft_window_fn(2)(4, dtype=tf.float32).numpy()
    array([0., 1., 1., 1.], dtype=float32)

    Args:
        frame_step: How far apart frames begin.
        forward_window_fn: The window that `stft` was given.
    """

    def inverse_window(frame_length: IntLike, dtype: DType) -> Tensor:
        length, hop = count(frame_length, "frame_length"), step(frame_step)
        forward = as_tensor(forward_window_fn(as_tensor(frame_length), dtype=dtype))
        overlaps = -(-length // hop)
        squares = fitted(square(forward), (-1,), (overlaps * hop,))
        total = reduce_sum(reshape(squares, [overlaps, hop]), 0)
        return divide_no_nan(forward, tile(total, [overlaps])[:length])

    return inverse_window
