"""Normalization with a mean and a deviation for each row, and a scale and an offset for each
column: all of it in one op, because NumPy takes long for steps that broadcast columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.c_kernels import compiled, fits
from ...engine.op import op
from ...engine.parallel import in_order, spread
from .compiled_rows import over_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array

_LARGE = 1 << 13  # elements, from which on it is worth while to work by blocks
_BLOCK = 1 << 17  # elements: half a megabyte, as a core's cache has one or two
_SHARE = 1 << 18  # elements that take far longer than a thread takes to start
_FAR = 8  # deviations between 0 and a mean, from which on differences must be taken first


@op("NormalizedRows", broadcasts=True)
def NormalizedRows(
    xp: ArrayModule, x: Array, mean: Array, factor: Array, scale: Array, offset: Array
) -> Array:
    """(x - mean) * factor * scale + offset."""
    if xp is np and are_rows(x, mean, factor, scale, offset):
        return normalized(x, mean, factor, scale, offset)
    return (x - mean) * factor * scale + offset


@NormalizedRows.pullback
def _pull(
    g: Array, wanted: Sequence[bool], x: Array, mean: Array, factor: Array, scale: Array
) -> tuple[Array, ...]:
    if are_rows(x, mean, factor, scale) and are_rows(g) and g.shape == x.shape:
        return _all_gradients(g, x, mean, factor, scale)
    scaled, away = g * scale, x - mean
    by_x = scaled * factor
    return by_x, -by_x, scaled * away, g * (away * factor), g


def are_rows(x: Array, *others: Array) -> bool:
    """Whether it is large, and the others are statistics of its rows and weights of its columns."""
    if type(x) is not np.ndarray or x.dtype.char not in "fd":
        return False
    shapes = [(*x.shape[:-1], 1)] * 2 + [x.shape[-1:]] * 2
    for other, shape in zip(others, shapes, strict=False):
        if type(other) is not np.ndarray or other.dtype != x.dtype or other.shape != shape:
            return False
    return x.flags.c_contiguous and x.ndim > 1 and x.size >= _LARGE


def normalized(x: Array, mean: Array, factor: Array, scale: Array, offset: Array) -> Array:
    """x * (factor scale) + (offset - mean factor scale)."""
    if _normalized is not None and fits(x, mean, factor, scale, offset):
        return _compiled(x, mean, factor, scale, offset)
    rows, mean, factor = _near_zero(x, mean, factor)
    out = np.empty_like(rows)
    slopes, scales = _two(factor, 0).T, _two(scale, 0)
    shifts, columns = _two(-mean * factor, 1).T, _two(scale, offset)

    def work(low: int, high: int) -> None:
        part = np.matmul(slopes[low:high], scales, out=out[low:high])
        part *= rows[low:high]
        part += shifts[low:high] @ columns

    _over_rows(work, rows)
    return out.reshape(x.shape)


def are_compiled_rows(x: Array, *weights: Array) -> bool:
    """Whether compiled functions normalize the rows of x, with weights for the columns."""
    if (
        _layer_norm is None
        or _gradients is None
        or not fits(x, *weights)
        or not x.flags.c_contiguous
    ):
        return False
    shape = x.shape[-1:]
    return x.size > 0 and all([w.shape == shape and w.flags.c_contiguous for w in weights])


def all_at_once(
    x: Array, scale: Array, offset: Array, epsilon: float, *, centered: bool
) -> tuple[Array, Array, Array]:
    """The normalized rows, their means and their factors."""
    assert _layer_norm is not None
    shape, width = (*x.shape[:-1], 1), x.shape[-1]
    out, mean, factor = np.empty_like(x), np.empty(shape, x.dtype), np.empty(shape, x.dtype)
    results = out.reshape(-1, width), mean.reshape(-1), factor.reshape(-1)
    shared = scale, offset, np.float32(epsilon), np.float32(centered)
    over_rows(_layer_norm, [x.reshape(-1, width)], results, *shared, share=_SHARE)
    return out, mean, factor


_layer_norm, _normalized = compiled("layer_norm"), compiled("normalized")
_gradients = compiled("normalized_gradients")


def compiled_gradients(
    g: Array, x: Array, mean: Array, factor: Array, scale: Array, *, centered: bool
) -> tuple[Array, Array, Array]:
    """The gradients of x, scale and offset, where mean and factor are those of the rows of x."""
    assert _gradients is not None
    compute, width, option = _gradients, x.shape[-1], np.float32(centered)
    arrays = g.reshape(-1, width), x.reshape(-1, width), mean.reshape(-1), factor.reshape(-1)
    if x.size < 2 * _SHARE:  # for one thread
        by_x, by_scale, by_offset = compute(*arrays, scale, option)
        return by_x.reshape(x.shape), by_scale, by_offset
    by_x = np.empty_like(arrays[1])
    columns: dict[int, Array] = {}

    def work(low: int, high: int) -> None:
        columns[low] = np.empty((2, width), x.dtype)
        parts = [array[low:high] for array in arrays]
        compute(*parts, scale, option, out=(by_x[low:high], *columns[low]))

    _over_rows(work, by_x)
    by_scale, by_offset = in_order(columns)
    return by_x.reshape(x.shape), by_scale, by_offset


def _compiled(x: Array, mean: Array, factor: Array, scale: Array, offset: Array) -> Array:
    assert _normalized is not None
    out = np.empty_like(x)
    rows, results = (each.reshape(-1, x.shape[-1]) for each in (x, out))
    given = rows, mean.reshape(-1), factor.reshape(-1)
    over_rows(_normalized, given, [results], scale, offset, share=_SHARE)
    return out


def _all_gradients(
    g: Array, x: Array, mean: Array, factor: Array, scale: Array
) -> tuple[Array, ...]:
    """The gradients of x, mean, factor, scale and offset, from that of the result."""
    by_mean, by_factor = np.empty_like(mean).reshape(-1), np.empty_like(mean).reshape(-1)

    def keep(low: int, high: int, part: Array, of_mean: Array, of_factor: Array) -> None:
        by_mean[low:high], by_factor[low:high] = of_mean, of_factor

    by_x, by_scale, by_offset = _by_blocks(g, *_near_zero(x, mean, factor), scale, keep)
    shape = mean.shape
    return (
        by_x.reshape(x.shape),
        by_mean.reshape(shape),
        by_factor.reshape(shape),
        by_scale,
        by_offset,
    )


def gradients(
    g: Array, x: Array, mean: Array, factor: Array, scale: Array, *, centered: bool
) -> tuple[Array, ...]:
    """The gradients of x, scale and offset, where mean and factor are those of the rows of x."""
    rows, moved, factors = _near_zero(x, mean, factor)
    n = rows.shape[1]

    def finish(low: int, high: int, part: Array, of_mean: Array, of_factor: Array) -> None:
        """The factor moves with x by -f^3 (x - mean) / n, and the mean by 1 / n."""
        slope = of_factor * factors[low:high] ** 3 / n
        part -= rows[low:high] * slope[:, None]
        if centered:
            part += (of_mean / n + slope * moved[low:high])[:, None]

    by_x, by_scale, by_offset = _by_blocks(g, rows, moved, factors, scale, finish)
    return by_x.reshape(x.shape), by_scale, by_offset


def _by_blocks(
    g: Array, rows: Array, moved: Array, factors: Array, scale: Array, finish: Callable[..., None]
) -> tuple[Array, ...]:
    """The gradients of rows, scale and offset, where means and factors are given.

    ``finish`` gets each block of that of rows with the gradients of its means and factors.
    """
    given = g.reshape(rows.shape)
    by_x = np.empty_like(rows)
    slopes, scales = _two(factors, 0).T, _two(scale, 0)
    shifts, ones = moved * factors, np.ones_like(moved)
    columns: dict[int, Array] = {}

    def work(low: int, high: int) -> None:
        own, part = given[low:high], by_x[low:high]
        np.multiply(own, rows[low:high], part)
        sums, products = own @ scale, part @ scale
        columns[low] = _two(factors[low:high] @ part, ones[low:high] @ own)
        columns[low][0] -= shifts[low:high] @ own
        np.matmul(slopes[low:high], scales, out=part)
        part *= own
        finish(low, high, part, -factors[low:high] * sums, products - moved[low:high] * sums)

    _over_rows(work, rows)
    by_scale, by_offset = in_order(columns)
    return by_x, by_scale, by_offset


def _near_zero(x: Array, mean: Array, factor: Array) -> tuple[Array, Array, Array]:
    """Rows, their means and their factors; rows far from 0 are moved there, with the same result.

    Digits would be lost otherwise when products with x and with the mean are subtracted.
    """
    rows, means, factors = x.reshape(-1, x.shape[-1]), mean.reshape(-1), factor.reshape(-1)
    if np.abs(means * factors).max() > _FAR:
        return rows - means[:, None], np.zeros_like(means), factors
    return rows, means, factors


def _two(vector: Array, second: Array | float) -> Array:
    """A vector and another one, or one of the same number everywhere: for products of such.

    With zeros these are all products of the numbers of two vectors. BLAS fills a block with them
    in half of the time that NumPy takes to broadcast a column, but takes ten times as long for a
    matrix of one column alone.
    """
    both: Array = np.empty((2, vector.size), vector.dtype)
    both[0], both[1] = vector, second
    return both


def _over_rows(work: Callable[..., Any], rows: Array) -> None:
    """Call `work` on blocks of rows, on threads where there is enough for them."""
    count, width = rows.shape
    step = max(_BLOCK // width, 1)

    def share(low: int, high: int) -> None:
        for start in range(low, high, step):
            work(start, min(start + step, high))

    spread(share, count, step, -(-_SHARE // width))
