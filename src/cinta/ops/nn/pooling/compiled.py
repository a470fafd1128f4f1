"""The largest numbers in windows of images, and their gradient, by compiled functions: one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.c_kernels import compiled, fits
from ...reductions.extremes import lowest
from ..conv.compiled import over_images
from ..sliding_windows import Window, padded, views

if TYPE_CHECKING:
    from ....engine.tensor import Array

_largest, _gradient = compiled("max_pool"), compiled("max_pool_gradient")
_FEW = 16
"""With fewer channels NumPy's passes over all of an image are faster."""


def takes(window: Window, image: Array, *others: Array) -> bool:
    """Whether there are compiled functions for such images and windows."""
    return (
        _largest is not None
        and image.ndim == 4
        and image.shape[-1] >= _FEW
        and fits(image, *others)
        and all([min(pair) >= 0 for pair in window.padding])
        and all([each.ndim == 4 and len(each) == len(image) for each in others])
    )


def largest(image: Array, window: Window) -> Array:
    """The largest number that each window sees, channel by channel."""
    assert _largest is not None
    compute, counts = _largest, window.counts(window.lengths(image.shape))
    result = np.empty((len(image), *counts, image.shape[-1]), image.dtype)

    def work(low: int, high: int) -> None:
        compute(views(_around(image[low:high], window), window), out=result[low:high])

    over_images(work, image, _comparisons(result, window))
    return result


def gradient(grad: Array, image: Array, output: Array, window: Window) -> Array:
    """Zeros, and what is given for each window at the place of its largest element."""
    assert _gradient is not None
    compute = _gradient
    grad, output = np.ascontiguousarray(grad), np.ascontiguousarray(output)
    sizes = np.array([*window.size, *window.strides, *window.dilations], np.intp)
    result = np.empty(image.shape, image.dtype)
    inner = [slice(before, before + n) for (before, _), n in _sides(image, window)]
    bare = not any(map(any, window.padding))

    def work(low: int, high: int) -> None:
        seen = _around(image[low:high], window)
        given = seen, output[low:high], grad[low:high], sizes
        if bare:
            compute(*given, out=result[low:high])
        else:
            result[low:high] = compute(*given)[:, *inner]

    over_images(work, image, _comparisons(output, window))
    return result


def _sides(image: Array, window: Window) -> zip[tuple[tuple[int, int], int]]:
    """For each axis of images how much is put before and behind, and its length."""
    return zip(window.padding, window.lengths(image.shape), strict=True)


def _around(image: Array, window: Window) -> Array:
    """Images with what is less than all numbers around them."""
    return np.ascontiguousarray(padded(np, image, window.padding, lowest(image.dtype)))


def _comparisons(result: Array, window: Window) -> int:
    return result.size * window.size[0] * window.size[1]
