"""Depthwise convolution of images and the gradient of its filter by compiled functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.c_kernels import compiled, fits
from ....engine.parallel import in_order
from ..conv.compiled import over_windows
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

    def work(low: int, high: int, seen: Array) -> None:
        if multiplier == 1:
            compute(seen, weights[0], out=result[low:high, ..., 0])
            return
        for k in range(multiplier):
            result[low:high, ..., k] = compute(seen, weights[k])

    over_windows(work, image, window, result.size * window.size[0] * window.size[1])
    return result


def to_filter(image: Array, given: Array, window: Window) -> Array:
    """The sum of what the windows see, weighted by what is given for them."""
    assert _gradient is not None
    compute = _gradient
    apart = np.ascontiguousarray(np.moveaxis(given, -1, 0))
    parts: list[dict[int, Array]] = [{} for _ in apart]

    def work(low: int, high: int, seen: Array) -> None:
        for own, sums in zip(apart, parts, strict=True):
            sums[low] = compute(seen, own[low:high])

    over_windows(work, image, window, given.size * window.size[0] * window.size[1])
    return np.stack([in_order(each) for each in parts], axis=-1)
