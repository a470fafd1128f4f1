"""Binomial counts, tried until one is accepted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...op import op
from .kernels import CHUNK
from .rejection import Lanes

if TYPE_CHECKING:
    from ...tensor import Array

_INVERSION_BLOCKS = 42  # that a number drawn by inversion may use up


@op("StatelessRandomBinomial")
def StatelessRandomBinomial(
    xp: Any, state: Array, counts: Array, probs: Array, *, samples: int, dtype: Any
) -> Array:
    """For each count of trials and probability of success, samples of the count of successes.

    The samples lie in front of the axes of the parameters, which have one shape.
    """
    n = np.repeat(np.asarray(counts, np.float64).reshape(-1), samples)
    p = np.repeat(np.asarray(probs, np.float64).reshape(-1), samples)
    out = np.empty(len(n))
    for first in range(0, len(n), CHUNK):
        part = slice(first, first + CHUNK)
        _fill(state, first, n[part], p[part], out[part])
    size = math.prod(counts.shape)
    with np.errstate(invalid="ignore"):
        return out.reshape(size, samples).T.reshape(samples, *counts.shape).astype(dtype)


StatelessRandomBinomial.no_grad()


def _fill(state: Array, first: int, counts: Any, probs: Any, out: Any) -> None:
    """Draw whichever of success and failure is rarer, and count the other ones if need be."""
    rare = np.minimum(probs, 1 - probs)
    valid = (counts >= 0) & (rare >= 0) & np.isfinite(counts)
    out[:] = np.nan
    out[valid & ((counts == 0) | (rare == 0))] = 0
    busy = valid & (counts > 0) & (rare > 0)
    few = busy & (counts * rare < 10)
    lanes = Lanes(state, first, len(out), _INVERSION_BLOCKS)
    _by_gaps(lanes, np.flatnonzero(few), counts, rare, out)
    _by_rejection(Lanes(state, first, len(out)), np.flatnonzero(busy & ~few), counts, rare, out)
    frequent = valid & (probs > 0.5)
    out[frequent] = counts[frequent] - out[frequent]


def _by_gaps(lanes: Lanes, pending: Any, counts: Any, probs: Any, out: Any) -> None:
    """Count successes by the trials from one to the next, which are geometrically distributed."""
    trials, successes = np.zeros(len(out)), 0
    while pending.size:
        with np.errstate(divide="ignore"):
            gaps = np.ceil(np.log(lanes.uniform(pending)) / np.log1p(-probs[pending]))
        trials[pending] += gaps
        over = trials[pending] > counts[pending]
        out[pending[over]] = successes
        pending, successes = pending[~over], successes + 1


def _by_rejection(lanes: Lanes, pending: Any, counts: Any, probs: Any, out: Any) -> None:
    """Hörmann's transformed rejection with squeeze, BTRS (1993)."""
    while pending.size:
        n, p = counts[pending], probs[pending]
        deviation = np.sqrt(n * p * (1 - p))
        b = 1.15 + 2.53 * deviation
        a = -0.0873 + 0.0248 * b + 0.01 * p
        u = lanes.uniform(pending) - 0.5
        v = lanes.uniform(pending)
        us = 0.5 - np.abs(u)
        k = np.floor((2 * a / us + b) * u + n * p + 0.5)
        good = (us >= 0.07) & (v <= 0.92 - 4.2 / b)
        possible = (k >= 0) & (k <= n)
        with np.errstate(divide="ignore", invalid="ignore"):
            height = np.log(v * (2.83 + 5.1 / b) * deviation / (a / (us * us) + b))
            accepted = good | (possible & (height <= _log_density(n, p, k)))
        out[pending[accepted]] = k[accepted]
        pending = pending[~accepted]


def _log_density(n: Any, p: Any, k: Any) -> Any:
    """The logarithm of the probability of k, relative to that of the most probable count."""
    from scipy.special import gammaln

    mode, odds = np.floor((n + 1) * p), np.log(p / (1 - p))
    at_mode = gammaln(mode + 1) + gammaln(n - mode + 1)
    return at_mode - gammaln(k + 1) - gammaln(n - k + 1) + (k - mode) * odds
