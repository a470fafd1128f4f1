"""Pooling as ops: the largest element, or the mean, of what a sliding window sees."""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from ....engine.halves import converted
from ....engine.op import op
from ....engine.primitives import SumTo, ZerosLike
from ....engine.shapes import Shape
from ....engine.summing import accumulator, summed
from ...reductions.extremes import lowest
from ..sliding_windows import Window, folded, padded, seen_at
from . import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....engine.annotations import ArrayModule, IntLike
    from ....engine.tensor import Array


# -- the largest -------------------------------------------------------------------------------


@op("MaxPool", rowwise=True)
def MaxPool(xp: ArrayModule, input: Array, *, window: Window) -> Array:
    """The largest element that each window sees, channel by channel."""
    if xp is np and compiled.takes(window, input):
        return compiled.largest(input, window)
    largest = input
    for axis in range(len(window.size)):
        taps = _taps(xp, largest, window.along(axis), lowest(input.dtype))
        largest = _combined(xp, xp.maximum, taps)
    return largest


def _taps(
    xp: ArrayModule, image: Array, window: Window, outside: IntLike | np.generic = 0
) -> list[Array]:
    """The elements of all windows at each place in a window."""
    seen = padded(xp, image, window.padding, outside)
    counts = window.counts(window.lengths(image.shape))
    return [seen_at(xp, seen, index) for _, index in window.taps(counts)]


def _combined(xp: ArrayModule, combine: Callable[..., Any], taps: list[Array]) -> Array:
    """The sum or the largest of what is seen at all places, as a new array."""
    result = combine(taps[0], taps[1]) if len(taps) > 1 else taps[0].copy()
    for each in taps[2:]:
        result = combine(result, each, out=result) if xp is np else combine(result, each)
    return result


def _winners(xp: ArrayModule, input: Array, output: Array, window: Window) -> list[Array]:
    """For each place in a window, where it is the one at which the largest element stands first.

    Where there is none, because that is NaN, the first place wins.
    """
    taken = xp.zeros(output.shape, bool)
    winners = []
    for seen in _taps(xp, input, window, lowest(input.dtype)):
        winners.append((seen == output) & ~taken)
        taken = taken | winners[-1]
    winners[0] = winners[0] | ~taken
    return winners


@op("MaxPoolGrad", rowwise=True)
def MaxPoolGrad(
    xp: ArrayModule, grad: Array, orig_input: Array, orig_output: Array, *, window: Window
) -> Array:
    """Zeros, and what is given for each window at the place of its largest element."""
    if xp is np and compiled.takes(window, orig_input, orig_output, grad):
        return compiled.gradient(grad, orig_input, orig_output, window)
    winners = iter(_winners(xp, orig_input, orig_output, window))
    keep = _keeper(xp, grad)
    lengths = window.lengths(orig_input.shape)
    return folded(xp, lambda place: keep(grad, next(winners)), lengths, window)


@op("MaxPoolGradGrad", rowwise=True)
def MaxPoolGradGrad(
    xp: ArrayModule, grad: Array, orig_input: Array, orig_output: Array, *, window: Window
) -> Array:
    """The elements that stand where the largest of another image do."""
    winners = _winners(xp, orig_input, orig_output, window)
    keep = _keeper(xp, grad)
    pairs = zip(_taps(xp, grad, window), winners, strict=True)
    return reduce(xp.add, [keep(given, winner) for given, winner in pairs])


def _keeper(xp: ArrayModule, values: Array) -> Callable[[Array, Array], Array]:
    """How to put zeros where a condition does not hold: by a product if all is finite."""
    if xp is np and np.isfinite(summed(np, values, tuple(range(-values.ndim, 0)), False)):
        return np.multiply
    return lambda x, keep: xp.where(keep, x, x.dtype.type(0))


MaxPool.grads(input=lambda g, input, out, window: MaxPoolGrad(g, input, out, window=window))
MaxPoolGrad.grads(
    grad=lambda g, orig_input, orig_output, window: MaxPoolGradGrad(
        g, orig_input, orig_output, window=window
    ),
    # zero and not None, because TensorFlow's second derivative is zero as well
    orig_input=lambda g, orig_input_shape, out_shape: SumTo(
        ZerosLike(g), shape=orig_input_shape, rank=len(out_shape)
    ),
)
MaxPoolGradGrad.grads(
    grad=lambda g, orig_input, orig_output, window: MaxPoolGrad(
        g, orig_input, orig_output, window=window
    )
)


@op("MaxPoolWithArgmax")
def MaxPoolWithArgmax(
    xp: ArrayModule, input: Array, *, window: Window, dtype: np.dtype[Any], with_batch: bool
) -> tuple[Array, Array]:
    """The largest elements, and where each stands in the image, or in all of them."""
    largest = MaxPool.kernel(xp, input, window=window)
    winners = _winners(xp, input, largest, window)
    winner = sum([number * places for number, places in enumerate(winners)])
    places = xp.unravel_index(winner, window.size)
    batch, *lengths, channels = input.shape
    flat = xp.reshape(xp.arange(batch if with_batch else 1), (-1, *(1,) * (len(lengths) + 1)))
    for axis, length in enumerate(lengths):
        steps = np.arange(largest.shape[1 + axis]) * window.strides[axis] - window.padding[axis][0]
        steps = steps.reshape(-1, *(1,) * (len(lengths) - axis))
        flat = flat * length + steps + places[axis] * window.dilations[axis]
    return largest, (flat * channels + xp.arange(channels)).astype(dtype)


MaxPoolWithArgmax.grads(
    input=lambda g, input, out, window: MaxPoolGrad(g[0], input, out[0], window=window)
)


# -- the mean ----------------------------------------------------------------------------------


@op("AvgPool", linear=True, rowwise=True)
def AvgPool(xp: ArrayModule, value: Array, *, window: Window) -> Array:
    """The mean of what each window sees, channel by channel, without the padding."""
    total = converted(value, accumulator(value.dtype))
    for axis in range(len(window.size)):
        total = _combined(xp, xp.add, _taps(xp, total, window.along(axis)))
    total = total / _elements(window, window.lengths(value.shape))
    result: Array = total.astype(value.dtype, copy=False)
    return result


@op("AvgPoolGrad", linear=True, rowwise=True)
def AvgPoolGrad(xp: ArrayModule, grad: Array, *, lengths: Shape, window: Window) -> Array:
    """The value given for each window, divided among the window's elements."""
    share: Array = (grad / _elements(window, lengths)).astype(grad.dtype, copy=False)
    sizes = list(window.counts(lengths))
    for axis in reversed(range(len(sizes))):
        sizes[axis] = lengths[axis]
        share = _folded_copies(xp, share, sizes, window.along(axis))
    return share


def _folded_copies(xp: ArrayModule, share: Array, lengths: list[int], window: Window) -> Array:
    return folded(xp, lambda place: share, lengths, window)


@lru_cache(maxsize=32)
def _elements(window: Window, lengths: Shape) -> Array:
    """How many elements of the image each window sees, with an axis for the channels; one number
    if it is the same everywhere.
    """
    result = np.ones((), np.float32)
    for axis, count in enumerate(window.counts(lengths)):
        starts = np.arange(count) * window.strides[axis] - window.padding[axis][0]
        places = starts[:, None] + np.arange(window.size[axis]) * window.dilations[axis]
        inside = ((places >= 0) & (places < lengths[axis])).sum(axis=1)
        result = result[..., None] * inside.astype(np.float32)
    same = result.size and result.min() == result.max()
    return result.reshape(-1)[0] if same else result[..., None]


AvgPool.grads(
    value=lambda g, value_shape, window: AvgPoolGrad(
        g, lengths=window.lengths(value_shape), window=window
    )
)
AvgPoolGrad.grads(grad=lambda g, window: AvgPool(g, window=window))
