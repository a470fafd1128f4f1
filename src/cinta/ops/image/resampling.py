"""Ops that make each row and each column of images a weighted sum of the old ones."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from ...engine.op import op
from ...engine.shapes import Positive

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
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
        return _between_neighbours(old, new)
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


def _between_neighbours(old: int, new: int) -> Array:
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
def _taps(scaling: Scaling, back: bool) -> list[Tap]:
    """The weights that are not 0, if there are few of them for every place, else nothing."""
    weights = _matrix(scaling, back)
    count = np.count_nonzero(weights, axis=1).max()
    if count > _FEW:
        return []
    sources = np.argsort(weights == 0, axis=1, kind="stable")[:, :count]
    chosen = np.take_along_axis(weights, sources, axis=1)
    return [
        Tap(_evenly(sources[:, k]), np.ascontiguousarray(chosen[:, k, None])) for k in range(count)
    ]


def _evenly(places: Array) -> slice | Array:
    """Places as a slice if they are equally far apart: reading them then copies nothing."""
    steps = np.diff(places)
    if steps.size and steps[0] > 0 and (steps == steps[0]).all():
        return slice(places[0], places[-1] + 1, steps[0])
    return places


def _rows(xp: ArrayModule, x: Array, scaling: Scaling, back: bool) -> Array:
    """Weighted sums of the rows of matrices."""
    taps = _taps(scaling, back) if xp is np else []
    if not taps:
        return xp.matmul(_matrix(scaling, back), x)
    total = _read(x, taps[0])
    for tap in taps[1:]:
        total += _read(x, tap)
    return total


def _read(x: Array, tap: Tap) -> Array:
    if isinstance(tap.source, slice):
        return x[..., tap.source, :] * tap.weight
    rows = x.take(tap.source, axis=-2)
    rows *= tap.weight
    return rows


def _resized(xp: ArrayModule, x: Array, rows: Scaling, columns: Scaling, back: bool) -> Array:
    """Weighted sums of rows, and then of columns, which are laid as rows for that."""
    *batch, height, width, channels = x.shape
    high, wide = [s.old if back else s.new for s in (rows, columns)]
    tall = _rows(xp, x.reshape(*batch, height, width * channels), rows, back)
    turned = xp.swapaxes(tall.reshape(*batch, high, width, channels), -3, -2)
    done = _rows(xp, turned.reshape(*batch, width, high * channels), columns, back)
    return xp.swapaxes(done.reshape(*batch, wide, high, channels), -3, -2)


@op("ResizeSmooth", linear=True, rowwise=True)
def ResizeSmooth(
    xp: ArrayModule, images: Array, *, rows: Scaling, columns: Scaling, back: bool
) -> Array:
    """Images of another size; or ``back``, the transpose of that."""
    return _resized(xp, images, rows, columns, back)


ResizeSmooth.grads(
    images=lambda g, rows, columns, back: ResizeSmooth(g, rows=rows, columns=columns, back=not back)
)


@op("ResizeArea")  # as in TensorFlow, no gradient is registered for it
def ResizeArea(xp: ArrayModule, images: Array, *, size: tuple[int, int]) -> Array:
    """Each new element the mean of the area that it covers."""
    old = images.shape[-3:-1]
    rows, columns = [Scaling("area", n, m) for n, m in zip(old, size, strict=True)]
    return _resized(xp, images, rows, columns, back=False)
