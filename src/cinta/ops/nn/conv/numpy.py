"""Convolution and its two transposes on arrays, for any number of spatial axes.

Each is one of a family of three: with the image x, the filter w and the result y of a convolution,
``sum(y · correlate(x, w))`` is linear in all of them, and each kernel computes from two what
belongs to the third.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ....engine.halves import converted
from ....engine.parallel import in_order, spread_products
from ....engine.shapes import Shape
from ....engine.summing import accumulator, summed
from ..sliding_windows import Window, padded, views
from . import compiled, xla

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ....engine.annotations import ArrayModule
    from ....engine.tensor import Array


_BLOCK_BYTES = 1 << 21
"""How much is unfolded at a time, at most, so that it stays in the processor's caches.

More than where elements are worked on one by one: a product reads what is unfolded many times."""
_SHARED_BYTES = 8 << 20
"""How much must be there to unfold for threads of our own to be faster than those of BLAS."""
_PARTS = 12
"""Into so many parts at least it is cut then, so that all threads are done at about one time."""
_MANY_WEIGHTS = 1 << 18
"""More than these do not fit into a core's cache; unfolding takes little compared to products."""
_BYTES_FOR_A_WEIGHT = 2
"""So much may be unfolded for each of many weights, through all of which every product goes."""


def correlate(xp: ArrayModule, input: Array, filter: Array, *, window: Window) -> Array:
    """The sum of what each window sees of the image, weighted by the filter."""
    if xp is not np:
        return xla.correlate(input, filter, window)
    wide = accumulator(input.dtype)
    image, weights = converted(input, wide), converted(filter, wide)
    counts, results = window.counts(window.lengths(image.shape)), filter.shape[-1]
    result = np.empty((len(image), *counts, results), wide)
    if not result.size or not image.size:
        return np.zeros(result.shape, input.dtype)
    if compiled.takes(image, filter.shape):
        compiled.correlate(image, weights, window, result)
        return converted(result, input.dtype)
    image = padded(np, image, window.padding)
    window = window._replace(padding=((0, 0),) * len(window.size))
    several = _neighbors(window, counts, image.shape[-1], results)
    if several > 1 and _is_finite(image):  # pixels outside of all windows must not count
        window, weights = _joined(window, several), _repeated(weights, window, several)
    runs = _runs(image, window)
    made = result.reshape(*runs.shape[: 1 + len(counts)], weights.shape[-1])
    rows = weights.reshape(-1, weights.shape[-1])

    def work(_: int, parts: Sequence[Any]) -> None:
        for part, unfolded in _unfolded(runs, parts, len(counts), wide):
            np.matmul(unfolded, rows, out=made[part].reshape(-1, rows.shape[1]))

    _over_parts(work, runs, rows.size)
    return converted(result, input.dtype)


def to_filter(xp: ArrayModule, input: Array, out_backprop: Array, *, window: Window) -> Array:
    """The filter's member of the family: the windows' elements weighted by the result, summed."""
    if xp is not np:
        return xla.to_filter(input, out_backprop, window)
    channels, results = input.shape[-1], out_backprop.shape[-1]
    if not out_backprop.size or not input.size:
        return np.zeros((*window.size, channels, results), input.dtype)
    wide = accumulator(input.dtype)
    image, given = converted(input, wide), converted(out_backprop, wide)
    if compiled.takes(image, (*window.size, channels, results)):
        return converted(compiled.to_filter(image, given, window), input.dtype)
    image = padded(np, image, window.padding)
    window = window._replace(padding=((0, 0),) * len(window.size))
    several = _neighbors(window, out_backprop.shape[1:-1], channels, results)
    joined = _joined(window, several)
    runs = _runs(image, joined)
    given = given.reshape(*runs.shape[: 1 + len(window.size)], several * results)
    shape = prod(joined.size) * channels, several * results
    totals: dict[int, Array] = {}

    def work(start: int, parts: Sequence[Any]) -> None:
        products = (
            unfolded.T @ given[part].reshape(-1, shape[1])
            for part, unfolded in _unfolded(runs, parts, len(window.size), wide)
        )
        totals[start] = next(products)
        for more in products:
            totals[start] += more

    _over_parts(work, runs, prod(shape))
    shared = in_order(totals).reshape(*joined.size, channels, several, results)
    own = [shared[..., k, :, i, :] for i, k in enumerate(_places(window, several))]
    return converted(sum(own[1:], own[0]), input.dtype)


# -- neighboring windows as one ---------------------------------------------------------------

_MOST_NEIGHBORS = 8


@lru_cache(maxsize=32)
def _neighbors(window: Window, counts: Shape, channels: int, results: int) -> int:
    """How many windows side by side are best taken for one that sees what any of them does.

    The filter then has a copy for each of them, with zeros around it. That is more arithmetic but
    less to unfold, and products of narrow matrices are slow.
    """
    if window.dilations[-1] > 1:
        return 1

    def nanoseconds(several: int) -> float:
        """The time for a place of the result, by measurements of products and of copies."""
        length = (window.size[-1] + (several - 1) * window.strides[-1]) * channels
        lines, columns = prod(window.size[:-1]), several * results
        product = lines * length * (columns + 10) / 200
        return (product + lines * (1.4 + length / 26)) / several

    best = min([n for n in range(1, _MOST_NEIGHBORS + 1) if counts[-1] % n == 0], key=nanoseconds)
    return best if nanoseconds(best) < 0.95 * nanoseconds(1) else 1


def _joined(window: Window, several: int) -> Window:
    """The window that sees what so many neighbors along the last axis see."""
    step = window.strides[-1]
    size = (*window.size[:-1], window.size[-1] + (several - 1) * step)
    return window._replace(size=size, strides=(*window.strides[:-1], several * step))


def _places(window: Window, several: int) -> list[slice]:
    """Where each of the neighbors stands in the window that they make."""
    starts = [i * window.strides[-1] for i in range(several)]
    return [slice(start, start + window.size[-1]) for start in starts]


def _repeated(filter: Array, window: Window, several: int) -> Array:
    """The filter for each of the neighbors, and their results side by side."""
    *_, channels, results = filter.shape
    whole = np.zeros((*_joined(window, several).size, channels, several, results), filter.dtype)
    for i, place in enumerate(_places(window, several)):
        whole[..., place, :, i, :] = filter
    return whole.reshape(*whole.shape[:-2], several * results)


def _is_finite(image: Array) -> bool:
    return bool(np.isfinite(summed(np, image, tuple(range(-image.ndim, 0)), False)))


# -- unfolding ---------------------------------------------------------------------------------


def _runs(image: Array, window: Window) -> Array:
    """The elements in each window of a padded image, as a view: axes for the windows, and places
    in a window where runs begin, each a single element with all that is side by side in memory.
    """
    image = np.ascontiguousarray(image)
    seen = views(image, window)
    axes = -2 if window.dilations[-1] == 1 else -1
    run = np.dtype((np.void, prod(seen.shape[axes:]) * seen.itemsize))
    return np.ndarray(seen.shape[:axes], run, image, 0, seen.strides[:axes])


def _unfolded(
    runs: Array, parts: Sequence[Any], count: int, dtype: np.dtype[Any]
) -> Iterator[tuple[Any, Array]]:
    """For each of these parts of the runs its index and, until the next one, a matrix with a row
    for each window; these slide along so many axes.

    Neighboring windows come one after the other, a place at a time: NumPy copies runs in half of
    the time then that it takes for numbers, window by window.
    """
    pieces = [runs[part] for part in parts]
    buffer = np.empty((max(map(len, pieces)), *pieces[0].shape[1:]), runs.dtype)
    for part, seen in zip(parts, pieces, strict=True):
        whole = buffer[: len(seen)]
        for place in np.ndindex(runs.shape[1 + count :]):
            whole[..., *place] = seen[..., *place]
        windows = prod(seen.shape[: seen.ndim - runs.ndim + 1 + count])
        yield part, whole.view(dtype).reshape(windows, -1)


def _over_parts(work: Callable[[int, Sequence[Any]], None], runs: Array, weights: int) -> None:
    """Call `work` on the parts of the runs, on threads: with the number of the first, and some.

    Products with many weights BLAS shares among threads of its own.
    """
    whole = runs.size * runs.itemsize
    if weights <= _MANY_WEIGHTS and whole >= _SHARED_BYTES:
        parts = list(_parts(runs, min(_BLOCK_BYTES // 2, whole // _PARTS)))
        spread_products(lambda low, high: work(low, parts[low:high]), len(parts), 1, share=1)
    else:
        work(0, list(_parts(runs, max(_BLOCK_BYTES, weights * _BYTES_FOR_A_WEIGHT))))


def _parts(runs: Array, size: int) -> Iterator[Any]:
    """Indices of parts of a view of runs, which take so many bytes at most when they are unfolded:
    some images, or some rows of one image.
    """
    images, rows = runs.shape[:2]
    row_bytes = prod(runs.shape[2:]) * runs.itemsize
    step = max(size // max(row_bytes, 1), 1)
    if step >= rows:
        several = step // max(rows, 1)
        yield from [slice(first, first + several) for first in range(0, images, several)]
    else:
        starts = range(0, rows, step)
        yield from [(k, slice(first, first + step)) for k in range(images) for first in starts]


def to_input(
    xp: ArrayModule, out_backprop: Array, filter: Array, *, lengths: Shape, window: Window
) -> Array:
    """The image's member of the family: the filter added at each window, weighted by the result.

    Seen from the image it is a correlation with the filter turned round. With strides above 1 it
    is several, because only every stride-th place of the filter meets a given place of the image.
    """
    if xp is not np:
        return xla.to_input(out_backprop, filter, lengths, window)
    if max(window.strides) > 1 < max(window.dilations):
        filter = _spread(filter, window)
        window = window._replace(size=window.spans(), dilations=(1,) * len(lengths))
    strides = window.strides
    if max(strides) == 1:
        return _one_phase(lengths, (0,) * len(lengths), out_backprop, filter, window)
    result = np.zeros((len(out_backprop), *lengths, filter.shape[-2]), out_backprop.dtype)
    for start in product(*[range(min(s, n)) for s, n in zip(strides, lengths, strict=True)]):
        axes = [slice(b, None, s) for b, s in zip(start, strides, strict=True)]
        place = result[(slice(None), *axes)]
        place[...] = _one_phase(place.shape[1:-1], start, out_backprop, filter, window)
    return result


def _one_phase(lengths: Shape, start: Shape, given: Array, filter: Array, window: Window) -> Array:
    """The places of the image that are stride-th ones from a start on; 0 if no window sees them."""
    first = [b + p for b, (p, _) in zip(start, window.padding, strict=True)]
    met = [slice(f % s, None, s) for f, s in zip(first, window.strides, strict=True)]
    taps = filter[tuple(met)]
    if not taps.size:
        return np.zeros((len(given), *lengths, filter.shape[-2]), given.dtype)
    count = len(first)
    turned = np.flip(taps, tuple(range(count))).swapaxes(-1, -2)
    padding = []
    for axis, dilation in enumerate(window.dilations):
        reach = dilation * (taps.shape[axis] - 1)
        before = reach - first[axis] // window.strides[axis]
        after = lengths[axis] + reach - given.shape[1 + axis] - before
        padding.append((before, after))
    inner = Window(taps.shape[:count], (1,) * count, tuple(padding), window.dilations)
    return correlate(np, given, turned, window=inner)


def _spread(filter: Array, window: Window) -> Array:
    """The filter with zeros between its places, for a window without dilations."""
    result = np.zeros((*window.spans(), *filter.shape[-2:]), filter.dtype)
    result[tuple([slice(None, None, d) for d in window.dilations])] = filter
    return result
