"""Stretches of a sequence that repeat themselves, found in ``n log n`` steps.

A window of the sequence is known by its rank, which two windows share if they are equal; ranks of
windows twice as long are ranks of pairs (Karp, Miller and Rosenberg, 1972). If the next window
that equals the one at a place is ``d`` places on, for places in a row, the stretch there has the
period ``d``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FEWEST = 3
"""Turns that a loop has at least: what two turns have in common may be chance."""


class Stretch(NamedTuple):
    """A part of a sequence: so many turns of so many places each."""

    start: int
    period: int
    turns: int

    @property
    def stop(self) -> int:
        return self.start + self.period * self.turns

    @property
    def places(self) -> range:
        return range(self.start, self.stop)


def repeats(codes: Sequence[int], worth: int) -> list[Stretch]:
    """The stretches that would be shorter by so many places as one turn, the longest first.

    >>> repeats([7, 1, 2, 1, 2, 1, 2, 3], worth=4)
    [Stretch(start=1, period=2, turns=3)]
    """
    found: set[Stretch] = set()
    order, ranks = _ranked(np.asarray(codes, np.int64))
    width = 1
    while len(ranks) and np.bincount(ranks).max() >= FEWEST:
        found.update(_runs(_distances(order, ranks), width, worth))
        order, ranks = _ranked(ranks[:-width] * len(ranks) + ranks[width:])
        width *= 2
    return sorted(found, key=lambda each: (-each.period * each.turns, each))


def _ranked(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places in the order of their keys, and for each place the rank of its key."""
    order = np.argsort(keys, kind="stable")
    ordered, ranks = keys[order], np.zeros(len(keys), np.int64)
    ranks[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return order, ranks


def _distances(order: NDArray[np.int64], ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """How far on the next window of the same rank begins; 0 if there is none."""
    same = ranks[order[1:]] == ranks[order[:-1]]
    distances = np.zeros(len(ranks), np.int64)
    distances[order[:-1][same]] = np.diff(order)[same]
    return distances


def _runs(distances: NDArray[np.int64], width: int, worth: int) -> list[Stretch]:
    """Where one distance stands in a row, as stretches."""
    cuts = np.flatnonzero(np.diff(distances)) + 1
    starts = np.concatenate([[0], cuts])
    lengths = np.diff(np.concatenate([starts, [len(distances)]]))
    periods = distances[starts]
    turns = (lengths + width - 1 + periods) // np.maximum(periods, 1)
    good = (periods > 0) & (turns >= FEWEST) & (periods * (turns - 1) >= worth)
    rows = zip(starts[good].tolist(), periods[good].tolist(), turns[good].tolist(), strict=True)
    return [Stretch(*row) for row in rows]
