"""Pooling by a ratio that need not be whole: windows of two lengths, in an order by chance.

Graham, "Fractional max-pooling" (2014), whose pseudorandom boundaries are ceil(alpha (k + start)).
"""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ....engine.dtype_kinds import REAL
from ....engine.tensor import Tensor, wrap
from ....errors import InvalidArgumentError, UnimplementedError
from ....public import public
from ...arguments import flag, listed, number, tensor_of, whole_number
from ...arrays.gathering import gather
from ...arrays.shaping import reshape, transpose
from ...elementwise.casting import cast
from ...image.resizing import weighted_sums
from ...random.stateful import uniform
from ...reductions.locating import argmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....engine.annotations import NumericLike
    from ....engine.tensor import Array


class FractionalMaxPool(NamedTuple):
    """The results of `fractional_max_pool`."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


class FractionalAvgPool(NamedTuple):
    """The results of `fractional_avg_pool`."""

    output: Tensor
    row_pooling_sequence: Tensor
    col_pooling_sequence: Tensor


@public("nn.fractional_max_pool")
def fractional_max_pool(
    value: NumericLike,
    pooling_ratio: float | Sequence[float],
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalMaxPool:
    """The largest element in each of windows that divide an image by a ratio of at least 1.

    Where the windows end is drawn anew for each call, or by ``seed``; with ``pseudo_random`` they
    are spread evenly. With ``overlapping`` neighbors share a row, or a column.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> tf.nn.fractional_max_pool(image, 2.0).output.numpy().ravel()
    array([ 5.,  7., 13., 15.], dtype=float32)

    Args:
        value: Images ``[batch, height, width, channels]``.
        pooling_ratio: By what each axis is divided: four numbers, of which the first and the last
            are 1.
        pseudo_random: Whether the windows are spread evenly.
        overlapping: Whether neighbors share a row, or a column.
        seed: A number that decides where windows end; 0 for other ones at every call.

    Raises:
        ValueError: If a ratio is less than 1.
    """
    ratios = _ratios(pooling_ratio)
    if ratios[0] != 1 or ratios[-1] != 1:
        raise ValueError(
            "`pooling_ratio` should have first and last elements with value 1.0. Received: "
            f"pooling_ratio={pooling_ratio}"
        )
    if not all(ratio >= 1 for ratio in ratios):
        raise ValueError(
            "`pooling_ratio` elements should be >= 1.0: pooling_ratio cannot be smaller than 1, "
            f"got: pooling_ratio={pooling_ratio}"
        )
    x, rows, columns = _cut("FractionalMaxPool", value, ratios, pseudo_random, seed)
    return FractionalMaxPool(
        largest_in_windows(x, rows, columns, overlapping), wrap(rows), wrap(columns)
    )


@public("nn.fractional_avg_pool")
def fractional_avg_pool(
    value: NumericLike,
    pooling_ratio: float | Sequence[float],
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalAvgPool:
    """The mean of each of windows that divide an image by a ratio of at least 1.

    ``pooling_ratio`` has four numbers, of which the first and the last are 1. For the rest see
    `fractional_max_pool`.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> tf.nn.fractional_avg_pool(image, [1.0, 2.0, 2.0, 1.0]).output.numpy().ravel()
    array([ 2.5,  4.5, 10.5, 12.5], dtype=float32)

    Args:
        value: Images ``[batch, height, width, channels]``.
        pooling_ratio: By what each axis is divided.
        pseudo_random: Whether the windows are spread evenly.
        overlapping: Whether neighbors share a row, or a column.
        seed: A number that decides where windows end; 0 for other ones at every call.
    """
    _check_ratio_list(pooling_ratio)
    x, rows, columns = _cut("FractionalAvgPool", value, pooling_ratio, pseudo_random, seed)
    means = means_of_windows(x, rows, columns, overlapping)
    return FractionalAvgPool(means, wrap(rows), wrap(columns))


def means_of_windows(x: Tensor, rows: Array, columns: Array, overlapping: bool) -> Tensor:
    """The mean of the pixels of each window."""
    shares = [
        _shares(cuts, length, overlapping)
        for cuts, length in ((rows, x._array.shape[1]), (columns, x._array.shape[2]))
    ]
    mean = _whole_means if x.dtype.is_integer else _means
    return mean(x, shares)


def _means(x: Tensor, shares: Sequence[Array]) -> Tensor:
    result: Tensor = weighted_sums(x, *[wrap(each.astype(x._array.dtype)) for each in shares])
    return result


def _whole_means(x: Tensor, shares: Sequence[Array]) -> Tensor:
    """The means of integers without their fractions, from sums that are exact."""
    sums = _means(cast(x, np.float64), [np.sign(each) for each in shares])
    down, along = [(each > 0).sum(axis=1) for each in shares]
    counts = wrap((down[:, None, None] * along[:, None]).astype(np.float64))
    result: Tensor = cast(sums / counts, x.dtype)
    return result


# -- arguments ---------------------------------------------------------------------------------


def _ratios(given: Any) -> list[float]:
    """A ratio for each of the four axes."""
    if isinstance(given, (int, float)):
        return [1.0, given, given, 1.0]
    if len(listed(given, "pooling_ratio")) != 4:
        raise ValueError(
            "`pooling_ratio` should be one number, or four of which the first and last elements "
            f"have value 1.0. Received: pooling_ratio={given}"
        )
    return [number(ratio, "pooling_ratio") for ratio in given]


def _check_ratio_list(given: object) -> None:
    if not isinstance(given, (list, tuple)):
        raise TypeError(
            f"Expected list for 'pooling_ratio' argument to 'fractional_avg_pool' Op, not {given}."
        )
    if len(given) < 4:
        raise InvalidArgumentError(
            f"Length for attr 'pooling_ratio' of {len(given)} must be at least minimum 4 "
            "[Op:FractionalAvgPool]"
        )
    if not all(number(ratio, "pooling_ratio") >= 1 for ratio in given):
        raise InvalidArgumentError(
            f"pooling_ratio cannot be smaller than 1, got: {min(given)} [Op:FractionalAvgPool]"
        )
    if given[0] != 1 or given[-1] != 1:
        raise UnimplementedError(
            "Fractional average pooling is not yet supported on the batch nor channel dimension "
            "[Op:FractionalAvgPool]"
        )


def _cut(
    op: str, value: NumericLike, ratios: Any, pseudo_random: bool, seed: int
) -> tuple[Tensor, Array, Array]:
    """The images, and where the windows begin and end along their rows and columns."""
    x = tensor_of(op, value, REAL)
    if x.ndim != 4:
        raise InvalidArgumentError(f"tensor_in must be 4-dimensional, got {x.shape} [Op:{op}]")
    counts = [floor(n / ratio) for n, ratio in zip(x._array.shape, ratios, strict=True)]
    if not all(counts[1:3]):
        raise InvalidArgumentError(
            "Pooling ratio is higher than input dimension size for dimension "
            f"{counts.index(0, 1)}: {list(ratios)} for {x.shape} [Op:{op}]"
        )
    seed = abs(whole_number(seed, "seed"))
    draw = np.random.default_rng(seed or int(uniform([], 0, 2**31 - 1, dtype="int32")))
    rows, columns = [_boundaries(x._array.shape[k], counts[k], pseudo_random, draw) for k in (1, 2)]
    return x, rows, columns


def _boundaries(length: int, count: int, pseudo_random: bool, draw: np.random.Generator) -> Array:
    """Where so many windows begin, and the last one ends: they are of two neighboring lengths."""
    alpha, short = length / count, length // count
    if flag(pseudo_random, "pseudo_random") and length % count:
        most = min((short + 2) / alpha - 1, (length + 1 - short) / alpha - (count - 1))
        start = draw.uniform(0, most)
        inner = [ceil(alpha * (k + start)) - 1 for k in range(1, count)]
        return np.array([0, *inner, length], np.int64)
    lengths = np.full(count, short)
    lengths[: length % count] += 1
    return np.concatenate([[0], np.cumsum(draw.permutation(lengths))]).astype(np.int64)


# -- windows -----------------------------------------------------------------------------------


def _windows(cuts: Array, length: int, overlapping: bool) -> Array:
    """The places in each window, as a row; short windows repeat their last place."""
    ends = np.minimum(cuts[1:] - 1 + flag(overlapping, "overlapping"), length - 1)
    widest = (ends - cuts[:-1]).max() + 1
    result: Array = np.minimum(cuts[:-1, None] + np.arange(widest), ends[:, None])
    return result


def _shares(cuts: Array, length: int, overlapping: bool) -> Array:
    """How much of each place is in the mean of each window."""
    windows = _windows(cuts, length, overlapping)
    seen = (windows[:, :, None] == np.arange(length)).any(axis=1)
    result: Array = seen / seen.sum(axis=1, keepdims=True)
    return result


def largest_in_windows(x: Tensor, rows: Array, columns: Array, overlapping: bool) -> Tensor:
    """The largest pixel of each window."""
    batch, height, width, channels = x._array.shape
    down = _windows(rows, height, overlapping)
    along = _windows(columns, width, overlapping)
    seen = gather(gather(x, wrap(along), axis=2), wrap(down), axis=1)
    together = transpose(seen, [0, 1, 3, 5, 2, 4])  # the pixels of a window lie along the last axes
    flat = reshape(together, [batch, len(down), len(along), channels, -1])
    winner = argmax(flat, axis=-1)
    return reshape(gather(flat, winner[..., None], batch_dims=4), winner.shape)
