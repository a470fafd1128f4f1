"""Depthwise convolution and its transposes on NumPy's arrays, where windows move by single steps;
compiled functions take any, if there are many channels.

A row of an image, channels last, is one line of numbers: to see the next place is to move by as
many of them as there are channels. So each place in the window meets whole rows at once, with the
filter repeated along them. That takes a fifth of the time of going from pixel to pixel.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....engine.c_kernels import compiled, fits
from ....engine.parallel import in_order, spread
from ....engine.strided import strided
from ..sliding_windows import Window, padded
from . import by_channels

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....engine.shapes import Shape
    from ....engine.tensor import Array

# Products that take a few times as long as it takes a thread to start.
_SHARE = 3 << 19


def takes(image: Array, window: Window) -> bool:
    """Whether these functions take windows that move so over an image."""
    return window.strides[1] == 1 or by_channels.takes(image)


def correlate(image: Array, filter: Array, window: Window) -> Array:
    """The sum of each window's elements of a channel, weighted by each of the channel's filters."""
    if by_channels.takes(image):
        return by_channels.correlate(image, filter, window)
    *_, channels, multiplier = filter.shape
    counts = window.counts(image.shape[1:-1])
    result = np.empty((len(image), *counts, channels, multiplier), image.dtype)
    seen = _rows(image, counts, window)
    for k in range(multiplier):
        weights = filter[:, :, None, :, k]
        shape = (*window.size, counts[1], channels)
        line = np.broadcast_to(weights, shape).reshape(*window.size, -1)
        own = np.empty(result.shape[:-1], image.dtype) if multiplier > 1 else result[..., 0]
        out = own.reshape(seen.shape[0], seen.shape[1], seen.shape[-1])

        def work(start: int, stop: int) -> None:
            _weighted(seen[start:stop], line, out[start:stop])  # noqa: B023

        _over_images(work, seen)
        if multiplier > 1:
            result[..., k] = own
    return result


def to_filter(image: Array, given: Array, window: Window) -> Array:
    """The sum of what the windows see, weighted by the result."""
    if by_channels.takes(image):
        return by_channels.to_filter(image, given, window)
    *counts, channels, multiplier = given.shape[1:]
    seen = _rows(image, tuple(counts), window)
    result = np.empty((*window.size, channels, multiplier), image.dtype)
    for k in range(multiplier):
        own = np.ascontiguousarray(given[..., k]).reshape(*seen.shape[:2], seen.shape[-1])
        parts: dict[int, Array] = {}

        def work(start: int, stop: int) -> None:
            parts[start] = _gathered(seen[start:stop], own[start:stop])  # noqa: B023

        _over_images(work, seen)
        lines = in_order(parts).reshape(*window.size, counts[1], channels)
        result[..., k] = lines.sum(axis=2)
    return result


_compiled_weighted = compiled("weighted")
_compiled_gathered = compiled("gathered_weights")


def _weighted(seen: Array, line: Array, out: Array) -> None:
    """Sum what is seen at the places of each window, by its weights."""
    if _compiled_weighted is not None and fits(seen, line, out):
        _compiled_weighted(seen, line, out=out)
    else:
        np.einsum("nhijr,ijr->nhr", seen, line, out=out)


def _gathered(seen: Array, given: Array) -> Array:
    """Sum what is seen at each place of the windows, by what is given for these."""
    if _compiled_gathered is not None and fits(seen, given):
        return _compiled_gathered(seen, given).sum(axis=0)  # type: ignore[no-any-return]
    total = np.empty((*seen.shape[2:4], seen.shape[-1]), seen.dtype)
    for i, j in np.ndindex(*seen.shape[2:4]):
        np.einsum("nhr,nhr->r", seen[:, :, i, j], given, out=total[i, j])
    return total


def to_input(given: Array, filter: Array, lengths: Shape, window: Window) -> Array:
    """The filters laid down at each window, weighted by the result: a correlation with the filters
    turned round.
    """
    padding = []
    for axis, span in enumerate(window.spans()):
        before = span - 1 - window.padding[axis][0]
        padding.append((before, lengths[axis] + span - 1 - given.shape[1 + axis] - before))
    around = window._replace(padding=tuple(padding))
    turned = filter[::-1, ::-1]
    parts = [
        correlate(np.ascontiguousarray(given[..., k]), turned[..., k : k + 1], around)[..., 0]
        for k in range(filter.shape[-1])
    ]
    return sum(parts[1:], parts[0])


def _rows(image: Array, counts: Shape, window: Window) -> Array:
    """The windows' elements as rows: axes for images, windows down, the places in a window, and for
    the windows side by side with their channels.
    """
    whole = np.ascontiguousarray(padded(np, image, window.padding))
    channel = whole.itemsize  # not by its strides: along an axis of length 1 they say nothing
    across = whole.shape[3] * channel
    down = whole.shape[2] * across
    batch = whole.shape[1] * down
    (step, _), (far_down, far_across) = window.strides, window.dilations
    shape = (len(whole), counts[0], *window.size, counts[1] * whole.shape[-1])
    strides = (batch, step * down, far_down * down, far_across * across, channel)
    return strided(whole, shape, strides)


def _over_images(work: Callable[..., Any], seen: Array) -> None:
    """Call `work` on parts of the images, on threads where there is enough for them."""
    per_image = max(prod(seen.shape[1:]), 1)
    spread(work, len(seen), 1, -(-_SHARE // per_image))
