"""Random numbers that are tried until one is accepted: truncated normal, gamma, Poisson.

All numbers are tried at once. Each one, or each group, has a stretch of the stream to itself, so
those that are not yet accepted go on alone and the others stay what they are.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...op import op
from ...parallel import spread
from ..broadcasting import SumTo
from ..elementwise.special import IgammaGradA, gamma_density
from . import philox
from .kernels import (
    CHUNK,
    RESERVED,
    StatelessRandomUniformFullIntV2,
    StatelessRandomUniformV2,
    key_and_counter,
    long_words,
    normals,
    unit,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...shapes import Shape
    from ...tensor import Array

    Fill = Callable[["Lanes", Any, Any], None]

_FLOAT64 = np.dtype(np.float64)


@op("StatelessTruncatedNormalV2")
def StatelessTruncatedNormalV2(xp: Any, state: Array, *, shape: Shape, dtype: Any) -> Array:
    """Normal numbers of mean 0 and standard deviation 1, without those of magnitude 2 or more."""
    key, counter = key_and_counter(state)
    wide = dtype.itemsize == 8
    width = 2 if wide else 4  # of a group, which is also the count of numbers in a block
    size = math.prod(shape)
    out = np.empty((-(-size // width), width), dtype)

    def work(start: int, stop: int) -> None:
        for first in range(start // width, stop // width, CHUNK):
            part = out[first : min(first + CHUNK, stop // width)]
            _fill_groups(part, key, counter + first * width * RESERVED // 4, wide)

    spread(work, out.size, CHUNK * width)
    return out.reshape(-1)[:size].reshape(shape)


def _fill_groups(out: Any, key: int, counter: int, wide: bool) -> None:
    """Fill each row with the first numbers of its stretch of the stream that are good."""
    width = out.shape[1]
    pending, blocks = np.arange(len(out), dtype=np.uint64), 1
    while pending.size:
        starts = pending * np.uint64(width * RESERVED // 4)
        offsets = starts[:, None] + np.arange(blocks, dtype=np.uint64)
        tried = normals(*philox.words(key, counter, offsets.reshape(-1)), wide)
        tried = tried.T.reshape(len(pending), -1)
        good = np.abs(tried) < 2
        first_good = good & (np.cumsum(good, axis=1) <= width)
        done = np.count_nonzero(first_good, axis=1) == width
        out[pending[done]] = tried[done][first_good[done]].reshape(-1, width)
        pending, blocks = pending[~done], blocks + 1


class Lanes:
    """Streams of float64 numbers side by side, each with blocks of its own.

    A block gives two numbers, of which the second is used first. What was drawn as uniform and as
    normal numbers is kept apart.
    """

    def __init__(self, state: Array, first: int, count: int, blocks: int = RESERVED) -> None:
        self._key, counter = key_and_counter(state)
        self._counter = counter + first * blocks
        self._next = np.arange(count, dtype=np.uint64) * np.uint64(blocks)
        self.uniform = self._pool(
            count, lambda even, odd: unit(long_words(even, odd, high_first=True), _FLOAT64)
        )
        self.normal = self._pool(count, lambda even, odd: normals(even, odd, wide=True))

    def _pool(self, count: int, transform: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
        """A function that takes indices of lanes and returns the next number of each."""
        numbers, left = np.empty((2, count)), np.zeros(count, np.int8)

        def draw(lanes: Any) -> Any:
            empty = lanes[left[lanes] == 0]
            blocks = philox.words(self._key, self._counter, self._next[empty])
            numbers[:, empty] = transform(*blocks)
            left[empty] = 2
            self._next[empty] += np.uint64(1)
            left[lanes] -= 1
            return numbers[left[lanes], lanes]

        return draw


def sampled(fill: Fill, state: Array, parameters: Array, samples: int) -> Any:
    """Samples for each parameter, with their axis in front of the axes of the parameters.

    ``fill`` takes lanes, a parameter for each of them, and an array to write to.
    """
    flat = np.repeat(np.asarray(parameters, np.float64).reshape(-1), samples)
    out = np.empty(len(flat))
    for first in range(0, len(flat), CHUNK):
        part = slice(first, first + CHUNK)
        fill(Lanes(state, first, len(flat[part])), flat[part], out[part])
    size = math.prod(parameters.shape)
    return np.ascontiguousarray(out.reshape(size, samples).T).reshape(samples, *parameters.shape)


@op("StatelessRandomGammaV3")
def StatelessRandomGammaV3(xp: Any, state: Array, alpha: Array, *, samples: int) -> Array:
    """For each alpha, samples from the gamma distribution of this shape and of rate 1.

    By Marsaglia and Tsang (2000); for alpha below 1 from the distribution for alpha + 1.
    """
    return sampled(_fill_gamma, state, alpha, samples).astype(alpha.dtype)


def _fill_gamma(lanes: Lanes, alpha: Any, out: Any) -> None:
    one = alpha == 1
    out[one] = -np.log1p(-lanes.uniform(np.flatnonzero(one)))
    pending = np.flatnonzero(~one)
    while pending.size:
        accepted, values = _try_gamma(lanes, pending, alpha[pending])
        out[pending[accepted]] = values[accepted]
        pending = pending[~accepted]
    small = np.flatnonzero(alpha < 1)
    with np.errstate(divide="ignore"):
        out[small] *= lanes.uniform(small) ** (1 / alpha[small])


def _try_gamma(lanes: Lanes, pending: Any, alpha: Any) -> tuple[Any, Any]:
    """One trial for each of these lanes: whether it is accepted, and its value."""
    d = alpha + np.where(alpha < 1, 2 / 3, -1 / 3)
    x = lanes.normal(pending)
    with np.errstate(invalid="ignore", divide="ignore"):
        v = 1 + 1 / 3 / np.sqrt(d) * x
        tried = ~(v <= 0)  # nan, of a negative alpha, is tried and accepted
        v = v * v * v
        u = np.ones_like(v)
        u[tried] = lanes.uniform(pending[tried])
        surely = u < 1 - 0.0331 * (x * x) * (x * x)
        accepted = surely | (np.log(u) < 0.5 * x * x + d * (1 - v + np.log(v)))
    return tried & accepted, d * v


@op("StatelessRandomPoisson")
def StatelessRandomPoisson(xp: Any, state: Array, lam: Array, *, samples: int, dtype: Any) -> Array:
    """For each rate, samples from the Poisson distribution."""
    with np.errstate(invalid="ignore"):
        return sampled(_fill_poisson, state, lam, samples).astype(dtype)


def _fill_poisson(lanes: Lanes, rates: Any, out: Any) -> None:
    out[:] = np.where(rates == np.inf, np.inf, np.nan)  # what is left of rates that are none
    _count_arrivals(lanes, np.flatnonzero(rates < 10), rates, out)
    _transformed_rejection(lanes, np.flatnonzero((rates >= 10) & (rates < np.inf)), rates, out)


def _count_arrivals(lanes: Lanes, pending: Any, rates: Any, out: Any) -> None:
    """Knuth's way: multiply uniform numbers until the product is at most exp(-rate)."""
    product, count = np.ones(len(rates)), 0
    limit = np.exp(-rates)
    while pending.size:
        product[pending] *= lanes.uniform(pending)
        over = product[pending] <= limit[pending]
        out[pending[over]] = count
        pending, count = pending[~over], count + 1


def _transformed_rejection(lanes: Lanes, pending: Any, rates: Any, out: Any) -> None:
    """Hörmann's way (1993), whose trials take the same time for any large rate."""
    from scipy.special import gammaln

    while pending.size:
        rate = rates[pending]
        b = 0.931 + 2.53 * np.sqrt(rate)
        a = -0.059 + 0.02483 * b
        u = lanes.uniform(pending) - 0.5
        v = lanes.uniform(pending)
        us = 0.5 - np.abs(u)
        k = np.floor((2 * a / us + b) * u + rate + 0.43)
        good = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        doubtful = ~good & (k >= 0) & ((us >= 0.013) | (v <= us))
        inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
        with np.errstate(divide="ignore", invalid="ignore"):
            height = np.log(v * inverse_alpha / (a / (us * us) + b))
            below = height <= -rate + k * np.log(rate) - gammaln(k + 1)
        accepted = good | (doubtful & below)
        out[pending[accepted]] = k[accepted]
        pending = pending[~accepted]


@op("StatelessMultinomial")
def StatelessMultinomial(
    xp: Any, state: Array, logits: Array, *, num_samples: int, dtype: Any
) -> Array:
    """For each row of logits, indices drawn with probabilities softmax(row)."""
    weights = np.asarray(logits, np.float64)
    finite = np.isfinite(weights)
    top = np.max(weights, axis=1, keepdims=True, where=finite, initial=-np.inf)
    weights = np.where(finite, np.exp(np.where(finite, weights - top, 0)), 0)
    steps = np.cumsum(weights, axis=1)
    rows, classes = steps.shape
    wanted = StatelessRandomUniformV2.run(state, shape=(rows, num_samples), dtype=_FLOAT64)
    wanted = wanted * steps[:, -1:]
    if rows <= classes:
        pairs = zip(steps, wanted, strict=True)
        per_row = [np.searchsorted(step, row, side="right") for step, row in pairs]
        return np.array(per_row, dtype).reshape(rows, num_samples)
    found = np.zeros(wanted.shape, dtype)
    for k in range(classes):
        found += wanted >= steps[:, k, None]
    return found


@op("RandomShuffle")
def RandomShuffle(xp: Any, state: Array, value: Array) -> Array:
    """The rows in random order, by exchanges from the first on."""
    size = len(value)
    bits = StatelessRandomUniformFullIntV2.run(state, shape=(size - 1,), dtype=np.dtype(np.uint32))
    steps = bits % np.arange(size, 1, -1, dtype=np.uint32)
    partners = (steps + np.arange(size - 1)).tolist()
    order = list(range(size))
    for i, partner in enumerate(partners):
        order[i], order[partner] = order[partner], order[i]
    return value[order]


# As in TensorFlow, the way from the parameters of these to the numbers has no gradient.
for _constant in StatelessMultinomial, StatelessRandomPoisson, RandomShuffle:
    _constant.no_grad()

StatelessRandomGammaV3.grads(
    alpha=lambda g, alpha, alpha_shape, out: SumTo(
        g * gamma_slope(alpha, out), shape=alpha_shape, rank=len(alpha_shape) + 1
    )
)


def gamma_slope(alpha: Any, sample: Any) -> Any:
    """How a gamma distributed number moves with alpha while its quantile stays."""
    return -IgammaGradA(alpha, sample) / gamma_density(alpha, sample)
