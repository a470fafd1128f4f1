"""The ops that draw classes as counterexamples, one after the other from one stream."""

from __future__ import annotations

import math
from functools import cache
from itertools import chain, count
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from .kernels import StatelessRandomUniformFullIntV2, key_and_counter
from .state import as_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...engine.annotations import ArrayModule
    from ...engine.shapes import Count, Positive
    from ...engine.tensor import Array

_PIECE = 256  # blocks to draw at a time
_UINT32 = np.dtype(np.uint32)


class _Words:
    """The words of a stream, one after the other."""

    def __init__(self, state: Array) -> None:
        key, counter = key_and_counter(state)
        pieces = (
            StatelessRandomUniformFullIntV2.run(
                as_state(key, first), shape=(4 * _PIECE,), dtype=_UINT32
            ).tolist()
            for first in count(counter, _PIECE)
        )
        self._words: Iterator[int] = chain.from_iterable(pieces)

    def fraction(self) -> np.float32:
        """A float32 in [0, 1)."""
        return np.float32((next(self._words) & 0x7FFFFF) * 2.0**-23)

    def long_fraction(self) -> float:
        """A float64 in [0, 1)."""
        high = next(self._words) & 0xFFFFF
        return (high << 32 | next(self._words)) * 2.0**-52

    def below(self, limit: int, words: int) -> int:
        """A whole number below a limit, each as likely as any, made of so many words."""
        skewed = 2 ** (32 * words) % limit
        while True:
            number = sum(next(self._words) << 32 * i for i in range(words))
            if number >= skewed:
                return number % limit


def _candidates(
    sample: Callable[[], int],
    probability: Callable[[Any], Any],
    true: Array,
    size: int,
    classes_there: int | None,
) -> tuple[Any, Any, Any]:
    """The results of a sampler op: classes, and expected counts by the tries that they took.

    If each class is to be drawn once, ``classes_there`` says how many can be.
    """
    tries = size
    if classes_there is not None:
        if size > classes_there:
            raise ValueError(f"{size} of {classes_there} classes cannot be unique")
        found: dict[int, None] = {}
        tries = 0
        while len(found) < size:
            found[sample()] = None
            tries += 1
        classes = np.array(list(found), np.int64)
    else:
        classes = np.array([sample() for _ in range(size)], np.int64)

    def expected(of: Array) -> Array:
        p = np.asarray(probability(of), np.float32)
        if tries == size:
            return p * np.float32(size)
        logarithm = np.log1p(-p.astype(np.float64)).astype(np.float32)
        return -np.expm1((np.float32(tries) * logarithm).astype(np.float64)).astype(np.float32)

    return classes, expected(true), expected(classes)


@op("UniformCandidateSampler")
def UniformCandidateSampler(
    xp: ArrayModule,
    state: Array,
    true_classes: Array,
    *,
    num_sampled: Count,
    unique: bool,
    range_max: Positive,
) -> tuple[Array, ...]:
    """Each class is as likely as any."""
    words = _Words(state)
    return _candidates(
        lambda: words.below(range_max, 2),
        lambda classes: np.full(classes.shape, 1 / range_max),
        true_classes,
        num_sampled,
        range_max if unique else None,
    )


@op("LogUniformCandidateSampler")
def LogUniformCandidateSampler(
    xp: ArrayModule,
    state: Array,
    true_classes: Array,
    *,
    num_sampled: Count,
    unique: bool,
    range_max: Positive,
) -> tuple[Array, ...]:
    """Classes that are sorted from the most to the least frequent, by Zipf's law."""
    words, span = _Words(state), math.log1p(range_max)
    return _candidates(
        lambda: (int(math.exp(words.long_fraction() * span)) - 1) % range_max,
        lambda classes: np.log((classes + 2.0) / (classes + 1.0)) / span,
        true_classes,
        num_sampled,
        range_max if unique else None,
    )


@op("AllCandidateSampler")
def AllCandidateSampler(
    xp: ArrayModule, state: Array, true_classes: Array, *, num_sampled: Count, unique: bool
) -> tuple[Array, ...]:
    """All classes."""
    ones = np.ones(num_sampled, np.float32)
    return np.arange(num_sampled), np.ones(true_classes.shape, np.float32), ones


@op("FixedUnigramCandidateSampler")
def FixedUnigramCandidateSampler(
    xp: ArrayModule,
    state: Array,
    true_classes: Array,
    *,
    num_sampled: Count,
    unique: bool,
    weights: tuple[float, ...],
) -> tuple[Array, ...]:
    """Classes by their weights, by Walker's method of aliases."""
    words = _Words(state)
    own, alias = _aliases(weights)

    def sample() -> int:
        fraction = words.fraction()
        chosen = words.below(len(weights), 1)
        return chosen if fraction < own[chosen] else alias[chosen]

    exact = np.array(weights, np.float32)
    total = np.add.accumulate(exact)[-1]
    there = int(np.count_nonzero(exact)) if unique else None
    return _candidates(sample, lambda c: exact[c] / total, true_classes, num_sampled, there)


@op("LearnedUnigramCandidateSampler")
def LearnedUnigramCandidateSampler(
    xp: ArrayModule,
    state: Array,
    true_classes: Array,
    weights: Array,
    *,
    num_sampled: Count,
    unique: bool,
) -> tuple[Array, ...]:
    """Classes by whole weights."""
    words, steps = _Words(state), np.cumsum(weights)
    total = int(steps[-1])
    return _candidates(
        lambda: int(np.searchsorted(steps, words.below(total, 1), side="right")),
        lambda classes: weights[classes] / np.float32(total),
        true_classes,
        num_sampled,
        int(np.count_nonzero(weights)) if unique else None,
    )


@cache
def _aliases(weights: tuple[float, ...]) -> tuple[list[np.float32], list[int]]:
    """For each class the part of its place that is its own, and the class that has the rest."""
    size, total = len(weights), sum(weights)
    parts = [weight * size / total for weight in weights]
    alias = list(range(size))
    low = [i for i in range(size) if parts[i] < 1]
    high = [i for i in range(size) if parts[i] >= 1]
    while low and high:
        poor, rich = low.pop(), high.pop()
        alias[poor] = rich
        parts[rich] -= 1 - parts[poor]
        (low if parts[rich] < 1 else high).append(rich)
    for i in low + high:  # full but for rounding
        parts[i], alias[i] = 1.0, i
    return [np.float32(part) for part in parts], alias


for _sampler in (
    UniformCandidateSampler,
    LogUniformCandidateSampler,
    AllCandidateSampler,
    FixedUnigramCandidateSampler,
    LearnedUnigramCandidateSampler,
):
    _sampler.no_grad()
