"""Frames: pieces of a signal that may overlap, and signals put together from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.arrays import at
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.strided import strided
from ...engine.summing import accumulator
from ...engine.tensor import seen
from ...public import public
from ..arguments import flag, integer
from ..arrays.length_rules import numbers_of_lengths
from .arguments import check_rank, count, fitted, step

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, AxisLike, IntLike, NumericLike
    from ...engine.shapes import Count, Positive
    from ...engine.tensor import Array, Tensor


# -- ops ---------------------------------------------------------------------------------------


@op("Frame", moves=True, rowwise=True)
def Frame(
    xp: ArrayModule, signal: Array, *, length: Count, step: Positive, count: Count, axis: int
) -> Array:
    """So many pieces of a length, each a step further along an axis that becomes two.

    In NumPy they are a view: an overlap is not copied.
    """
    place = signal.ndim + axis
    before, after = signal.shape[:place], signal.shape[place + 1 :]
    if xp is not np:
        places = np.arange(count)[:, None] * step + np.arange(length)
        return xp.take(signal, places, axis=place)
    stride = signal.strides[place]
    strides = (*signal.strides[:place], stride * step, stride, *signal.strides[place + 1 :])
    return strided(signal, (*before, count, length, *after), strides)


@op("OverlapAndAdd", rowwise=True)
def OverlapAndAdd(
    xp: ArrayModule, frames: Array, *, step: Positive, size: Count, axis: int
) -> Array:
    """The sum of pieces, each a step further along one axis of this size: Frame's transpose.

    A piece is cut into segments as long as a step. The first segments of all pieces lie side by
    side in the sum, and so do the second ones, a step further: a few additions do it.
    """
    pieces = xp.moveaxis(frames, (axis - 1, axis), (-2, -1))
    count, length = pieces.shape[-2:]
    segments = -(-length // step)
    rows = max(count + segments - 1, -(-size // step))
    total = xp.zeros((*pieces.shape[:-2], rows, step), accumulator(frames.dtype))
    for k in range(segments):
        part = pieces[..., k * step : (k + 1) * step]
        place = (..., slice(k, k + count), slice(part.shape[-1]))
        if xp is np:
            total[place] += part
        else:
            total = at(total, place).add(part)
    whole = xp.reshape(total, (*total.shape[:-2], rows * step))[..., :size]
    return xp.moveaxis(whole, -1, axis).astype(frames.dtype, copy=False)


Frame.grads(
    signal=lambda g, signal_shape, step, axis: OverlapAndAdd(
        g, step=step, size=signal_shape[axis], axis=axis
    )
)
OverlapAndAdd.grads(
    frames=lambda g, frames_shape, step, axis: Frame(
        g, length=frames_shape[axis], step=step, count=frames_shape[axis - 1], axis=axis
    )
)


# -- functions ---------------------------------------------------------------------------------


@public("signal.frame")
def frame(
    signal: NumericLike,
    frame_length: IntLike,
    frame_step: IntLike,
    pad_end: bool = False,
    pad_value: NumericLike = 0,
    axis: IntLike = -1,
    name: str | None = None,
) -> Tensor:
    """The pieces of this length that begin at every ``frame_step``-th place of a signal.

    The axis becomes two: one for the frames, one for what is in a frame. With ``pad_end`` a frame
    begins at each of these places up to the last, and the signal goes on with ``pad_value``.

    >>> import cinta as tf
    >>> tf.signal.frame([1, 2, 3, 4, 5], frame_length=3, frame_step=2).numpy()
    array([[1, 2, 3],
           [3, 4, 5]], dtype=int32)
    >>> tf.signal.frame([1, 2, 3, 4], 3, 2, pad_end=True).numpy()
    array([[1, 2, 3],
           [3, 4, 0]], dtype=int32)
    """
    x = as_tensor(signal)
    length, hop = count(frame_length, "frame_length"), step(frame_step)
    check_rank(x, 1)
    along = _axis(axis, x._array.ndim)
    if flag(pad_end, "pad_end"):
        number, needed = numbers_of_lengths("frames to end", x, (along,), length, hop)
        scalar = as_tensor(pad_value, x._array.dtype)
        scalar.shape.assert_has_rank(0)
        x = fitted(x, (along,), (needed,), seen(scalar).item())
    else:
        (number,) = numbers_of_lengths("frames", x, (along,), length, hop)
    return on_one(Frame, x, length=length, step=hop, count=number, axis=along)


def _axis(axis: AxisLike, rank: int) -> int:
    """The axis to frame, counted from the right."""
    as_tensor(axis).shape.assert_has_rank(0)
    given = integer(axis, "axis")
    if not -rank <= given < rank:
        raise IndexError(f"axis {given} of tf.signal.frame is not in [{-rank}, {rank}).")
    return given - rank if given >= 0 else given


@public("signal.overlap_and_add")
def overlap_and_add(signal: NumericLike, frame_step: IntLike, name: str | None = None) -> Tensor:
    """The frames ``[..., frames, frame_length]`` put together as one signal, added where they meet.

    >>> import cinta as tf
    >>> tf.signal.overlap_and_add([[1, 2, 3], [4, 5, 6]], frame_step=2).numpy()
    array([1, 2, 7, 5, 6], dtype=int32)

    Args:
        signal: The frames.
        frame_step: How far apart frames begin.

    Raises:
        ValueError: If ``signal`` has less than two axes.
        InvalidArgumentError: If the step is not positive.
    """
    frames = as_tensor(signal)
    check_rank(frames, 2)
    if not as_tensor(frame_step).dtype.is_integer:
        raise ValueError(f"frame_step must be an integer. Got {frame_step!r}")
    hop = step(frame_step)
    *outer, number, length = frames._array.shape
    size = max(0, length + hop * (number - 1))
    if hop == length:
        return on_one(Reshape, frames, shape=(*outer, size))
    return on_one(OverlapAndAdd, frames, step=hop, size=size, axis=-1)
