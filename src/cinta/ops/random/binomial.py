"""Binomial counts, tried until one is accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from .lanes import Lanes, sampled

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array

_INVERSION_BLOCKS = 42  # that a number drawn by inversion may use up


@op("StatelessRandomBinomial")
def StatelessRandomBinomial(
    xp: ArrayModule,
    state: Array,
    counts: Array,
    probs: Array,
    *,
    samples: int,
    dtype: np.dtype[Any],
) -> Array:
    """For each count of trials and probability of success, samples of the count of successes.

    The samples lie in front of the axes of the parameters, which have one shape.
    """
    with np.errstate(invalid="ignore"):
        return sampled(_fill, state, samples, counts, probs).astype(dtype)


StatelessRandomBinomial.no_grad()


def _fill(lanes: Lanes, counts: Array, probs: Array, out: Array) -> None:
    """Draw whichever of success and failure is rarer, and count the other ones if need be."""
    rare = np.minimum(probs, 1 - probs)
    out[:] = np.nan
    out[(counts <= 0) | (rare <= 0)] = 0
    busy = (counts > 0) & (rare > 0) & np.isfinite(counts)
    few = busy & (counts * rare < 10)
    _by_gaps(lanes.of_blocks(_INVERSION_BLOCKS), np.flatnonzero(few), counts, rare, out)
    _by_rejection(lanes, np.flatnonzero(busy & ~few), counts, rare, out)
    frequent = (counts > 0) & (probs > 0.5)
    out[frequent] = counts[frequent] - out[frequent]


def _by_gaps(lanes: Lanes, pending: Array, counts: Array, probs: Array, out: Array) -> None:
    """Count successes by the trials from one to the next, which are geometrically distributed."""
    trials, successes = np.zeros(len(pending)), 0
    counts, slope = counts[pending], np.log1p(-probs[pending])
    while pending.size:
        first, second = (np.ceil(np.log(u) / slope) for u in lanes.uniform(pending, successes // 2))
        trials += first
        early = trials > counts
        trials += second
        over = trials > counts
        out[pending[over]] = successes + 1 - early[over]
        left = np.flatnonzero(~over)
        pending, trials = pending[left], trials[left]
        counts, slope = counts[left], slope[left]
        successes += 2


def _by_rejection(lanes: Lanes, pending: Array, counts: Array, probs: Array, out: Array) -> None:
    """Hörmann's transformed rejection with squeeze, BTRS (1993)."""
    trial = 0
    while pending.size:
        n, p = counts[pending], probs[pending]
        deviation = np.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * p
        u, v = lanes.uniform(pending, trial)
        u -= 0.5
        us = 0.5 - np.abs(u)
        k = np.floor((2 * a / us + b) * u + n * p + 0.5)
        good = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
        possible = (k >= 0) & (k <= n)
        with np.errstate(divide="ignore", invalid="ignore"):
            height = np.log(v * (2.83 + 5.1 / b) * deviation / (a / (us * us) + b))
            accepted = good | (possible & (height <= _log_density(n, p, k)))
        out[pending[accepted]] = k[accepted]
        pending, trial = pending[~accepted], trial + 1


def _log_density(n: Array, p: Array, k: Array) -> Any:
    """The logarithm of the probability of k, relative to that of the most probable count."""
    from scipy.special import gammaln

    mode, odds = np.floor((n + 1) * p), np.log(p / (1 - p))
    at_mode = gammaln(mode + 1) + gammaln(n - mode + 1)
    return at_mode - gammaln(k + 1) - gammaln(n - k + 1) + (k - mode) * odds
