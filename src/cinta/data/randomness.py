"""The random words that datasets draw: those of TensorFlow for the same seeds."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from ..ops.arguments import unbounded
from ..ops.random import philox
from ..ops.random.state import seeds as program_seeds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .stage import Stage

_AT_ONCE = 1024  # words that are made together: fewer take hardly less time


class Words:
    """A stream of random words of 32 bits, which two seeds name."""

    def __init__(self, seed: int, seed2: int, position: int = 0) -> None:
        self.seeds, self.position = (seed, seed2), position
        self._words: list[int] = []

    def take(self, count: int) -> list[int]:
        """The next words."""
        if len(self._words) < count:
            self._words = self._from_here(max(count, _AT_ONCE))
        taken, self._words = self._words[:count], self._words[count:]
        self.position += count
        return taken

    def _from_here(self, count: int) -> list[int]:
        first, skipped = divmod(self.position, 4)
        blocks = np.arange(first, first + (skipped + count) // 4 + 1, dtype=np.uint64)
        seed, seed2 = self.seeds
        even, odd = philox.random_words(seed, seed2 << 64, blocks)
        words = np.stack([even[0], odd[0], even[1], odd[1]], axis=1).reshape(-1)
        found: list[int] = words[skipped : skipped + count].tolist()
        return found

    def state(self) -> Sequence[int]:
        """The arguments that make this stream again at its present position."""
        return [*self.seeds, self.position]


class StageSeeds:
    """The seeds of a stage: a pair for each pass over it, or the same pair for all."""

    def __init__(self, seed: int | None, anew: bool) -> None:
        pair = program_seeds.pair(None if seed is None else unbounded(seed, "seed"))
        self._drawn = pair is None
        if pair is None:
            entropy = int.from_bytes(os.urandom(8), "little")
            pair = entropy & 0xFFFFFFFF, entropy >> 32
        self.pair, self.anew, self.passes = pair, anew, 0
        self._lock = threading.Lock()

    def _content(self) -> tuple[object, ...]:
        return None if self._drawn else self.pair, self.anew

    def next(self) -> tuple[int, int]:
        """The seeds of the next pass."""
        if not self.anew:
            return self.pair
        with self._lock:
            first, second = Words(*self.pair, 2 * self.passes).take(2)
            self.passes += 1
        return first, second


@contextmanager
def undisturbed(stage: Stage) -> Iterator[None]:
    """Let passes over a stage in the block not count: those that follow draw the same seeds."""
    there = list(_all_seeds(stage))
    passes = [seeds.passes for seeds in there]
    try:
        yield
    finally:
        for seeds, before in zip(there, passes, strict=True):
            seeds.passes = before


def _all_seeds(stage: Stage) -> Iterator[StageSeeds]:
    if stage.seeds is not None:
        yield stage.seeds
    for source in stage.inputs:
        yield from _all_seeds(source)
