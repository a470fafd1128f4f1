"""Streams side by side, for numbers that are tried until one is accepted.

All numbers are tried at once. Each one has a stretch of the stream to itself, its lane, so those
that are not yet accepted go on alone and the others stay what they are. Of the two numbers that a
block gives, the second is used first.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.parallel import spread
from . import philox
from .kernels import CHUNK, RESERVED, key_and_counter, long_units

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.tensor import Array

# Numbers to try at a time. After the first trial only few are left, whose calls should not be many.
_TOGETHER = 1 << 16


def sampled(fill: Callable[..., None], state: Array, samples: int, *parameters: Array) -> Array:
    """Samples for each of some parameters, with their axis in front of the parameters' axes.

    ``fill`` takes lanes, for each lane its parameters, and a float64 array to write to.
    """
    flat = [np.repeat(np.asarray(p, np.float64).reshape(-1), samples) for p in parameters]
    out = np.empty(len(flat[0]))

    def work(start: int, stop: int) -> None:
        for first in range(start, stop, _TOGETHER):
            part = slice(first, min(first + _TOGETHER, stop))
            fill(Lanes(state, first, len(out[part])), *[p[part] for p in flat], out[part])

    spread(work, out.size, _TOGETHER)
    shape = parameters[0].shape
    size = math.prod(shape)
    return np.ascontiguousarray(out.reshape(size, samples).T).reshape(samples, *shape)


class Lanes:
    """Where some numbers draw from: each has some blocks of the stream to itself."""

    def __init__(self, state: Array, first: int, count: int, blocks: int = RESERVED) -> None:
        self._state, self._first = state, first
        self._key, counter = key_and_counter(state)
        self._counter = counter + first * blocks
        self._starts = np.arange(0, count * blocks, blocks, dtype=np.uint64)
        self.all = np.arange(count)

    def of_blocks(self, blocks: int) -> Lanes:
        """Lanes for the same numbers with other counts of blocks."""
        return Lanes(self._state, self._first, len(self.all), blocks)

    def uniform(self, lanes: Array, block: Array | int) -> tuple[Any, Any]:
        """The two uniform numbers of a block of some lanes, in the order in which they are used."""
        offsets = self._starts[lanes] + np.asarray(block, np.uint64)
        numbers = np.empty((2, offsets.size))
        for start in range(0, offsets.size, CHUNK):
            part = slice(start, start + CHUNK)
            words = philox.random_words(self._key, self._counter, offsets[part])
            numbers[1, part], numbers[0, part] = long_units(*words)
        first, second = numbers
        return first, second
