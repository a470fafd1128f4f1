"""Convolution of images and the gradient of its filter by compiled functions, which sum what each
window sees in registers: nothing is unfolded.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ....engine.c_kernels import compiled, fits
from ....engine.parallel import in_order, spread
from ..sliding_windows import Window, inner, padded, views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ....engine.tensor import Array

_correlated, _filter_gradient = compiled("correlated"), compiled("filter_gradient")
_MANY_WEIGHTS = 1 << 18
"""More than these do not fit into a core's cache, for which products of matrices are made."""
_SHORT = 6  # windows: about as many are summed at a time
_SHARE = 1 << 23  # multiplications that take far longer than a thread takes to start
_BLOCK = 1 << 18  # numbers of padded images that fit into a core's cache
_PADDED = 1 << 17  # numbers of images that fit with what is around them, and what is made of them
_WINDOWS = 1 << 11  # windows that take far longer than the weights take to be packed


def takes(image: Array, filter_shape: tuple[int, ...]) -> bool:
    """Whether there are compiled functions for such images and filters."""
    return (
        _correlated is not None
        and image.ndim == 4
        and fits(image)
        and prod(filter_shape) <= _MANY_WEIGHTS
    )


def correlate(image: Array, filter: Array, window: Window, out: Array) -> None:
    """The sum of what each window sees of the image, weighted by the filter."""
    assert _correlated is not None
    compute, weights = _correlated, _runs(filter, 1, window)

    def work(low: int, high: int, seen: Array) -> None:
        seen, lines = _lines(_runs(seen, 4, window), out[low:high])
        compute(seen, weights, out=lines)

    over_windows(work, image, window, out.size * weights[..., 0].size)


def to_filter(image: Array, given: Array, window: Window) -> Array:
    """The windows' numbers weighted by what is given for them, summed."""
    assert _filter_gradient is not None
    compute = _filter_gradient
    parts: dict[int, Array] = {}

    def work(low: int, high: int, seen: Array) -> None:
        parts[low] = compute(*_lines(_runs(seen, 4, window), given[low:high]))

    shape = (*window.size, image.shape[-1], given.shape[-1])
    over_windows(work, image, window, given.size * prod(shape[:-1]))
    return in_order(parts).reshape(shape)


def _runs(array: Array, axis: int, window: Window) -> Array:
    """The places in lines of a window, on this axis, and their channels as one, if they are side
    by side in memory."""
    if window.dilations[1] > 1:
        return array
    places, channels = array.shape[axis : axis + 2]
    return array.reshape(*array.shape[:axis], 1, places * channels, *array.shape[axis + 2 :])


def _lines(seen: Array, results: Array) -> tuple[Array, Array]:
    """The same with windows side by side in long lines, across images or down."""
    if results.shape[2] >= _SHORT or results.shape[1] <= results.shape[2]:
        return seen, results
    return seen.swapaxes(1, 2), results.swapaxes(1, 2)


def over_windows(
    work: Callable[[int, int, Array], None], image: Array, window: Window, multiplications: int
) -> None:
    """Call `work` on some images at a time, with what windows see of them: axes for images, the
    windows, their places and channels. Threads share it where there is enough for them.
    """
    lengths = window.lengths(image.shape)
    step = max(
        _PADDED // max(prod(image.shape[1:]), 1), -(-_WINDOWS // prod(window.counts(lengths)))
    )

    def share(low: int, high: int) -> None:
        for start, seen in _seen_by(window, image[low:high], step):
            work(low + start, low + start + len(seen), seen)

    _share(share, image, multiplications)


def _seen_by(window: Window, image: Array, step: int) -> Iterator[tuple[int, Array]]:
    """Where some images begin, and until the next ones the views of windows over them.

    All are put into the same memory, which stays in a cache, and the zeros around them stay there.
    """
    if not any(map(any, window.padding)):
        seen = views(np.ascontiguousarray(image), window)
        yield from [(low, seen[low : low + step]) for low in range(0, len(image), step)]
        return
    whole = padded(np, image[:step], window.padding)
    seen, (kept, inside) = views(whole, window), inner(window.padding)
    yield 0, seen
    for low in range(step, len(image), step):
        part = image[low : low + step]
        whole[: len(part)][inside] = part[kept]
        yield low, seen[: len(part)]


def over_images(work: Callable[[int, int], None], image: Array, multiplications: int) -> None:
    """Call `work` on some images at a time, on threads where there is enough for them."""
    step = max(_BLOCK // max(prod(image.shape[1:]), 1), 1)

    def share(low: int, high: int) -> None:
        for start in range(low, high, step):
            work(start, min(start + step, high))

    _share(share, image, multiplications)


def _share(work: Callable[[int, int], None], image: Array, multiplications: int) -> None:
    count = len(image)
    spread(work, count, 1, -(-_SHARE * count // max(multiplications, 1)))
