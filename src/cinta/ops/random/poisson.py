"""Poisson distributed counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from .lanes import Lanes, sampled

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array


@op("StatelessRandomPoisson")
def StatelessRandomPoisson(
    xp: ArrayModule, state: Array, lam: Array, *, samples: int, dtype: np.dtype[Any]
) -> Array:
    """For each rate, samples from the Poisson distribution."""
    with np.errstate(invalid="ignore"):
        return sampled(_fill, state, samples, lam).astype(dtype)


StatelessRandomPoisson.no_grad()


def _fill(lanes: Lanes, rates: Array, out: Array) -> None:
    out[:] = np.where(rates == np.inf, np.inf, np.nan)  # for rates that are not finite
    _count_arrivals(lanes, np.flatnonzero(rates < 10), rates, out)
    _transformed_rejection(lanes, np.flatnonzero((rates >= 10) & (rates < np.inf)), rates, out)


def _count_arrivals(lanes: Lanes, pending: Array, rates: Array, out: Array) -> None:
    """Knuth's way: multiply uniform numbers until the product is at most exp(-rate)."""
    product, limit, count = np.ones(len(pending)), np.exp(-rates[pending]), 0
    while pending.size:
        first, second = lanes.uniform(pending, count // 2)
        product *= first
        early = product <= limit
        product *= second
        over = product <= limit
        out[pending[over]] = count + 1 - early[over]
        left = np.flatnonzero(~over)
        pending, product, limit = pending[left], product[left], limit[left]
        count += 2


def _transformed_rejection(lanes: Lanes, pending: Array, rates: Array, out: Array) -> None:
    """Hörmann's way (1993), whose trials take the same time for any large rate."""
    trial = 0
    while pending.size:
        rate = rates[pending]
        b = 0.931 + 2.53 * np.sqrt(rate)
        a = -0.059 + 0.02483 * b
        u, v = lanes.uniform(pending, trial)
        u -= 0.5
        us = 0.5 - np.abs(u)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = np.floor((2 * a / us + b) * u + rate + 0.43)
        accepted = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
        doubtful = np.flatnonzero(~accepted & (k >= 0) & ((us >= 0.013) | (v <= us)))
        accepted[doubtful] = _likely(*(x[doubtful] for x in (rate, a, b, us, v, k)))
        out[pending[accepted]] = k[accepted]
        pending, trial = pending[~accepted], trial + 1


def _likely(rate: Array, a: Array, b: Array, us: Array, v: Array, k: Array) -> Any:
    """Whether the density at k is large enough to accept it."""
    from scipy.special import gammaln

    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    with np.errstate(divide="ignore", invalid="ignore"):
        height = np.log(v * inverse_alpha / (a / (us * us) + b))
        return height <= -rate + k * np.log(rate) - gammaln(k + 1)
