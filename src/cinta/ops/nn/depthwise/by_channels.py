"""Depthwise convolution of images and the gradient of its filter by compiled functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.c_kernels import compiled, fits
from ....engine.parallel import in_order
from ..conv.compiled import over_images, seen_by
from ..sliding_windows import Window

if TYPE_CHECKING:
    from ....engine.tensor import Array

_depthwise, _gradient = compiled("depthwise"), compiled("depthwise_gradient")
_FEW = 16
"""With fewer channels it is faster to go by rows of pixels than by channels."""


def takes(image: Array) -> bool:
    """Whether there are compiled functions for such images."""
    return _depthwise is not None and fits(image) and image.shape[-1] >= _FEW


def correlate(image: Array, filter: Array, window: Window) -> Array:
    """The sum of each window's numbers of a channel, weighted by the channel's filters."""
    assert _depthwise is not None
    compute, (*_, channels, multiplier) = _depthwise, filter.shape
    counts = window.counts(window.lengths(image.shape))
    weights = np.moveaxis(filter, -1, 0).copy()
    result = np.empty((len(image), *counts, channels, multiplier), image.dtype)

    def work(low: int, high: int) -> None:
        seen = seen_by(window, image[low:high])
        if multiplier == 1:
            compute(seen, weights[0], out=result[low:high, ..., 0])
            return
        for k in range(multiplier):
            result[low:high, ..., k] = compute(seen, weights[k])

    over_images(work, image, result.size * window.size[0] * window.size[1])
    return result


def to_filter(image: Array, given: Array, window: Window) -> Array:
    """The sum of what the windows see, weighted by what is given for them."""
    assert _gradient is not None
    compute, multiplier = _gradient, given.shape[-1]
    parts: dict[int, Array] = {}

    def work(low: int, high: int) -> None:
        seen = seen_by(window, image[low:high])
        own = [np.ascontiguousarray(given[low:high, ..., k]) for k in range(multiplier)]
        parts[low] = np.stack([compute(seen, each) for each in own], axis=-1)

    over_images(work, image, given.size * window.size[0] * window.size[1])
    return in_order(parts)
