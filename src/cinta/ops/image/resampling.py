"""Ops that make each row and each column of images a weighted sum of the old ones."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from ...engine.c_kernels import compiled, fits
from ...engine.op import op
from ...engine.parallel import spread
from ...engine.shapes import Positive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayFunction, ArrayModule
    from ...engine.tensor import Array


# -- kernels: how much an old place counts at some distance ------------------------------------


def _triangle(x: Array) -> Array:
    result: Array = np.maximum(1 - x, 0)
    return result


def cubic(x: Array, a: float = -0.5) -> Array:
    """The cubic kernel of Keys (1981), whose slope at 1 is ``a``."""
    far = a * (((x - 5) * x + 8) * x - 4)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _mitchell(x: Array) -> Array:
    """The cubic of Mitchell and Netravali (1988) with B = C = 1/3."""
    far = ((-7 / 18 * x + 2) * x - 10 / 3) * x + 16 / 9
    near = ((7 / 6 * x - 2) * x) * x + 8 / 9
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _gaussian(x: Array) -> Array:
    return np.where(x < 1.5, np.exp(-2 * x * x), 0)


def _box(x: Array) -> Array:
    return np.where(x < 0.5, 1.0, np.where(x == 0.5, 0.5, 0.0))


def _lanczos1(x: Array) -> Array:
    return np.where(x <= 1, np.sinc(x) * np.sinc(x), 0)


def _lanczos3(x: Array) -> Array:
    return np.where(x <= 3, np.sinc(x) * np.sinc(x / 3), 0)


def _lanczos5(x: Array) -> Array:
    return np.where(x <= 5, np.sinc(x) * np.sinc(x / 5), 0)


KERNELS = {
    "bilinear": (_triangle, 1.0),
    "bicubic": (cubic, 2.0),
    "mitchellcubic": (_mitchell, 2.0),
    "gaussian": (_gaussian, 1.5),
    "box": (_box, 1.0),
    "lanczos1": (_lanczos1, 1.0),
    "lanczos3": (_lanczos3, 3.0),
    "lanczos5": (_lanczos5, 5.0),
}
"""By the method's name, the kernel and how far it reaches."""


# -- weights: for each new place what each old one adds to it -----------------------------------


class Scaling(NamedTuple):
    """How a number of places becomes another one."""

    method: Annotated[str, lambda name: name == "area" or name in KERNELS]
    old: Positive
    new: Positive
    antialias: bool = False


def _weights(scaling: Scaling) -> Array:
    """How much of each of the old places is in each of the new ones."""
    method, old, new, antialias = scaling
    if method == "area":
        return _areas(old, new)
    if method == "bilinear" and not antialias:
        return _between_neighbors(old, new)
    if method == "bicubic" and not antialias:
        return normalized(cubic(np.abs(_table_steps(_distances(old, new)))))
    kernel, radius = KERNELS[method]
    one, half, reach = np.float32(1), np.float32(0.5), np.float32(radius)
    step = one / (np.float32(new) / np.float32(old))
    wide = max(step, one) if antialias else one
    centers = ((np.arange(new, dtype=np.float32) + half) * step)[:, None]
    places = np.arange(old, dtype=np.float32)
    first, last = np.ceil(centers - reach * wide - half), np.floor(centers + reach * wide - half)
    found = kernel(np.abs((places + half - centers) * (one / wide)))
    return normalized(np.where((places >= first) & (places <= last), found, 0))


def _distances(old: int, new: int) -> Array:
    """From the middle of each new place to that of each old one, in old places."""
    centers = (np.arange(new, dtype=np.float32) + np.float32(0.5)) * np.float32(old / new)
    return (np.arange(old) + 0.5 - centers[:, None]).astype(np.float32)


def _table_steps(distances: Array) -> Array:
    """Distances in steps of 1/1024: TensorFlow looks its cubic kernel up in a table."""
    result: Array = np.rint(distances * 1024) / 1024
    return result


def normalized(weights: Array) -> Array:
    total = weights.sum(axis=1, keepdims=True)
    counts = np.abs(total) >= 1000 * np.finfo(np.float32).tiny
    return np.where(counts, weights / np.where(counts, total, 1), weights).astype(np.float32)


def _between_neighbors(old: int, new: int) -> Array:
    """Linear between the middles of old places, and constant beyond the outermost ones."""
    centers = np.clip(-_distances(old, new)[:, 0], 0, old - 1)
    return _triangle(np.abs(np.arange(old) - centers[:, None])).astype(np.float32)


def _areas(old: int, new: int) -> Array:
    """How much of a new place each old place covers."""
    scale = old / new
    starts = np.arange(new)[:, None] * scale
    ends = np.minimum(starts + scale, np.arange(old) + 1)
    covered = np.maximum(ends - np.maximum(starts, np.arange(old)), 0)
    result: Array = (covered / scale).astype(np.float32)
    return result


# -- sums by weights ----------------------------------------------------------------------------

_resampled, _of_bytes = compiled("resampled"), compiled("resampled_bytes")
_TOGETHER = 16  # new places that are made by a product of matrices
_FEW = 8
"""With more weights than these for one place, a product of matrices is faster."""


class Tap(NamedTuple):
    """For each place one of those that it is made of, and how much that counts."""

    source: slice | Array
    weight: Array


@lru_cache(maxsize=64)
def _matrix(scaling: Scaling, back: bool) -> Array:
    weights = _weights(scaling)
    return np.ascontiguousarray(weights.T) if back else weights


@lru_cache(maxsize=64)
def _tables(scaling: Scaling, back: bool) -> tuple[Array, Array]:
    """For each place those that it is made of, and how much these count.

    Where there are fewer than elsewhere, the first one fills the rest up, and does not count there.
    """
    weights = _matrix(scaling, back)
    count = np.count_nonzero(weights, axis=1).max()
    sources = np.argsort(weights == 0, axis=1, kind="stable")[:, :count]
    chosen = np.take_along_axis(weights, sources, axis=1)
    places = np.where(chosen == 0, sources[:, :1], sources)
    return places.astype(np.intp), np.ascontiguousarray(chosen)


@lru_cache(maxsize=64)
def _taps(scaling: Scaling, back: bool) -> list[Tap]:
    """The weights that are not 0, if there are few of them for every place, else nothing."""
    places, weights = _tables(scaling, back)
    count = places.shape[1]
    if count > _FEW:
        return []
    return [
        Tap(_evenly(places[:, k]), np.ascontiguousarray(weights[:, k, None])) for k in range(count)
    ]


def _evenly(places: Array) -> slice | Array:
    """Places as a slice if they are equally far apart: reading them then copies nothing."""
    steps = np.diff(places)
    if steps.size and steps[0] > 0 and (steps == steps[0]).all():
        return slice(places[0], places[-1] + 1, steps[0])
    return places


@lru_cache(maxsize=64)
def _taps_of_columns(scaling: Scaling, back: bool, channels: int) -> list[Tap]:
    """The same for the numbers of lines, which have one for each channel at each place."""
    taps, all_places = [], np.arange(scaling.new if back else scaling.old)
    for source, weight in _taps(scaling, back):
        numbers = (all_places[source][:, None] * channels + np.arange(channels)).reshape(-1)
        taps.append(Tap(numbers, weight.reshape(-1).repeat(channels)))
    return taps


def _rows(xp: ArrayModule, x: Array, scaling: Scaling, back: bool) -> Array:
    """Weighted sums of the rows of matrices."""
    weights = _matrix(scaling, back)
    if xp is not np:
        return xp.matmul(weights, x)
    if taps := _taps(scaling, back):
        return _sums(x, taps, axis=-2)
    made = np.empty((*x.shape[:-2], len(weights), x.shape[-1]), x.dtype)
    for some, seen in _bands(scaling, back):
        np.matmul(weights[some, seen], x[..., seen, :], out=made[..., some, :])
    return made


@lru_cache(maxsize=64)
def _bands(scaling: Scaling, back: bool) -> list[tuple[slice, slice]]:
    """A few new places at a time, and the old ones between the first and the last that counts."""
    counts = _matrix(scaling, back) != 0
    first, last = counts.argmax(axis=1), counts.shape[1] - counts[:, ::-1].argmax(axis=1)
    parts = [slice(low, low + _TOGETHER) for low in range(0, len(counts), _TOGETHER)]
    return [(some, slice(first[some].min(), last[some].max())) for some in parts]


def _sums(x: Array, taps: Sequence[Tap], axis: int) -> Array:
    total = _read(x, taps[0], axis)
    for tap in taps[1:]:
        total += _read(x, tap, axis)
    return total


def _read(x: Array, tap: Tap, axis: int) -> Array:
    if isinstance(tap.source, slice):
        return x[..., tap.source, :] * tap.weight
    numbers = x.take(tap.source, axis, mode="clip")  # nothing is to be clipped: twice as fast
    numbers *= tap.weight
    return numbers


def _resized(xp: ArrayModule, x: Array, rows: Scaling, columns: Scaling, back: bool) -> Array:
    """Weighted sums of rows, and then of columns, which are laid as rows where they are many."""
    *batch, height, width, channels = x.shape
    high, wide = [s.old if back else s.new for s in (rows, columns)]
    compute = _of_bytes if x.dtype == np.uint8 else _resampled if fits(x) else None
    if xp is np and compute is not None:
        made = np.empty((*batch, high, wide, channels), np.float32)
        tables = *_tables(rows, back), *_tables(columns, back)
        _by_tables(compute, np.ascontiguousarray(x), tables, made)
        return made
    if x.dtype.kind in "ui":
        x = x.astype(np.float32)
    lines = x.reshape(*batch, height, width * channels)
    taps = _taps(rows, back) if xp is np else []
    if taps and (across := _taps_of_columns(columns, back, channels)):
        out = np.empty((*batch, high, wide, channels), x.dtype)
        flat = out.reshape(-1, high, wide * channels)
        _by_lines(lines.reshape(-1, *lines.shape[-2:]), taps, across, flat)
        return out
    tall = _rows(xp, lines, rows, back)
    turned = xp.swapaxes(tall.reshape(*batch, high, width, channels), -3, -2)
    done = _rows(xp, turned.reshape(*batch, width, high * channels), columns, back)
    return xp.swapaxes(done.reshape(*batch, wide, high, channels), -3, -2)


_BLOCK = 1 << 18  # numbers of some lines, which fit into caches with what is made of them
_SHARE = 1 << 17  # numbers of old lines that take far longer than a thread takes to start


def _by_tables(
    compute: ArrayFunction, x: Array, tables: tuple[Array, Array, Array, Array], out: Array
) -> None:
    """The same by a compiled function, which goes through each new line once."""
    high = out.shape[-3]
    images, results = x.reshape(-1, *x.shape[-3:]), out.reshape(-1, *out.shape[-3:])
    places, weights, *across = tables

    def work(first: int, last: int) -> None:
        for image in range(first // high, -(-last // high)):
            low, stop = max(first - image * high, 0), min(last - image * high, high)
            part = results[image, low:stop]
            compute(images[image], places[low:stop], weights[low:stop], *across, out=part)

    spread(work, len(images) * high, 1, -(-_SHARE // max(out.shape[-2] * out.shape[-1], 1)))


def _by_lines(x: Array, down: Sequence[Tap], across: Sequence[Tap], out: Array) -> None:
    """The sums of rows and columns for a few new lines of an image at a time."""
    images, high, _ = out.shape
    step = max(_BLOCK // x.shape[-1], 1)
    blocks = -(-high // step)

    def work(first: int, last: int) -> None:
        for block in range(first, last):
            image, low = block // blocks, block % blocks * step
            taps = [_part(tap, low, min(low + step, high)) for tap in down]
            tall = _sums(x[image], taps, axis=-2)
            out[image, low : low + step] = _sums(tall, across, axis=-1)

    spread(work, images * blocks, 1, -(-_SHARE // (step * x.shape[-1])))


def _part(tap: Tap, low: int, high: int) -> Tap:
    """The shares of the new places from low to high."""
    source = tap.source
    if isinstance(source, slice):
        start, step = source.start, source.step
        return Tap(slice(start + low * step, start + high * step, step), tap.weight[low:high])
    return Tap(source[low:high], tap.weight[low:high])


@op("ResizeSmooth", linear=True, rowwise=True)
def ResizeSmooth(
    xp: ArrayModule, images: Array, *, rows: Scaling, columns: Scaling, back: bool
) -> Array:
    """Images of another size, as floats; or ``back``, the transpose of that."""
    return _resized(xp, images, rows, columns, back)


ResizeSmooth.grads(
    images=lambda g, rows, columns, back: ResizeSmooth(g, rows=rows, columns=columns, back=not back)
)


@op("ResizeArea")  # as in TensorFlow, no gradient is registered for it
def ResizeArea(xp: ArrayModule, images: Array, *, size: tuple[int, int]) -> Array:
    """Each new element the mean of the area that it covers, as a float."""
    old = images.shape[-3:-1]
    rows, columns = [Scaling("area", n, m) for n, m in zip(old, size, strict=True)]
    return _resized(xp, images, rows, columns, back=False)
