"""Normalization with a mean and a deviation for each row, and a scale and an offset for each
column: all of it in one op, because NumPy takes long for steps that broadcast columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from ...engine.parallel import in_order, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array

_LARGE = 1 << 13  # elements, from which on it is worth while to work by blocks
_BLOCK = 1 << 16  # elements, of which several arrays fit into a core's cache
_SHARE = 1 << 18  # elements that take far longer than a thread takes to start
_FAR = 8  # deviations between 0 and a mean, from which on differences must be taken first


@op("NormalizedRows", broadcasts=True)
def NormalizedRows(
    xp: ArrayModule, x: Array, mean: Array, factor: Array, scale: Array, offset: Array
) -> Array:
    """(x - mean) * factor * scale + offset."""
    if xp is np and _are_rows(x, mean, factor, scale, offset):
        return _normalized(x, mean, factor, scale, offset)
    return (x - mean) * factor * scale + offset


@NormalizedRows.pullback
def _pull(
    g: Array, wanted: Sequence[bool], x: Array, mean: Array, factor: Array, scale: Array
) -> tuple[Array, ...]:
    if _are_rows(x, mean, factor, scale) and _are_rows(g) and g.shape == x.shape:
        return _gradients(g, x, mean, factor, scale)
    scaled, away = g * scale, x - mean
    by_x = scaled * factor
    return by_x, -by_x, scaled * away, g * (away * factor), g


def _are_rows(x: Array, *others: Array) -> bool:
    """Whether it is large, and the others are statistics of its rows and weights of its columns."""
    if type(x) is not np.ndarray or x.dtype.char not in "fd":
        return False
    shapes = [(*x.shape[:-1], 1)] * 2 + [x.shape[-1:]] * 2
    for other, shape in zip(others, shapes, strict=False):
        if type(other) is not np.ndarray or other.dtype != x.dtype or other.shape != shape:
            return False
    return x.flags.c_contiguous and x.ndim > 1 and x.size >= _LARGE


def _normalized(x: Array, mean: Array, factor: Array, scale: Array, offset: Array) -> Array:
    """x * (factor scale) + (offset - mean factor scale)."""
    rows, mean, factor = _near_zero(x, mean, factor)
    out = np.empty_like(rows)
    slopes, scales = _with_zeros(factor).T, _with_zeros(scale)
    shifts = np.stack([-mean * factor, np.ones_like(mean)], axis=1)
    columns = np.stack([scale, offset])

    def work(low: int, high: int) -> None:
        part = np.matmul(slopes[low:high], scales, out=out[low:high])
        part *= rows[low:high]
        part += shifts[low:high] @ columns

    _over_rows(work, rows)
    return out.reshape(x.shape)


def _gradients(g: Array, x: Array, mean: Array, factor: Array, scale: Array) -> tuple[Array, ...]:
    """The gradients of x, mean, factor, scale and offset, from that of the result."""
    rows, moved, factors = _near_zero(x, mean, factor)
    given = g.reshape(rows.shape)
    by_x = np.empty_like(rows)
    sums, products = np.empty_like(moved), np.empty_like(moved)
    slopes, scales = _with_zeros(factors).T, _with_zeros(scale)
    weights = np.stack([-moved * factors, np.ones_like(moved)])
    columns: dict[int, Array] = {}

    def work(low: int, high: int) -> None:
        own, part = given[low:high], by_x[low:high]
        np.multiply(own, rows[low:high], part)
        np.matmul(own, scale, out=sums[low:high])
        np.matmul(part, scale, out=products[low:high])
        added = weights[:, low:high] @ own
        added[0] += factors[low:high] @ part
        columns[low] = added
        np.matmul(slopes[low:high], scales, out=part)
        part *= own

    _over_rows(work, rows)
    by_scale, by_offset = in_order(columns)
    by_mean, by_factor = -factors * sums, products - moved * sums
    return (
        by_x.reshape(x.shape),
        by_mean.reshape(mean.shape),
        by_factor.reshape(mean.shape),
        by_scale,
        by_offset,
    )


def _near_zero(x: Array, mean: Array, factor: Array) -> tuple[Array, Array, Array]:
    """Rows, their means and their factors; rows far from 0 are moved there, with the same result.

    Digits would be lost otherwise when products with x and with the mean are subtracted.
    """
    rows, means, factors = x.reshape(-1, x.shape[-1]), mean.reshape(-1), factor.reshape(-1)
    if np.abs(means * factors).max() > _FAR:
        return rows - means[:, None], np.zeros_like(means), factors
    return rows, means, factors


def _with_zeros(vector: Array) -> Array:
    """A vector and zeros, for products of such: all those of the numbers of two vectors.

    BLAS fills a block with them in half of the time that NumPy takes to broadcast a column, but
    takes ten times as long for a matrix of one column alone.
    """
    return np.stack([vector, np.zeros_like(vector)])


def _over_rows(work: Callable[..., Any], rows: Array) -> None:
    """Call `work` on blocks of rows, on threads where there is enough for them."""
    count, width = rows.shape
    step = max(_BLOCK // width, 1)

    def share(low: int, high: int) -> None:
        for start in range(low, high, step):
            work(start, min(start + step, high))

    spread(share, count, step, -(-_SHARE // width))
