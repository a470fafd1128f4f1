"""All of some things in random order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from ...engine.op import op
from .kernels import StatelessRandomUniformFullIntV2

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, IntLike
    from ...engine.tensor import Array

FEWEST_ROUNDS, MOST_ROUNDS = 4, 64

Rounds: TypeAlias = Annotated[int, lambda n: FEWEST_ROUNDS <= n <= MOST_ROUNDS]
_LEAST_BITS = 16  # of the numbers that a cipher permutes; with fewer, patterns can be seen


@op("RandomShuffle")
def RandomShuffle(xp: ArrayModule, state: Array, value: Array) -> Array:
    """The rows in random order, by exchanges from the first on."""
    size = len(value)
    bits = StatelessRandomUniformFullIntV2.run(state, shape=(size - 1,), dtype=np.dtype(np.uint32))
    result: Array = value.take(exchanged(bits % np.arange(size, 1, -1, dtype=np.uint32)), axis=0)
    return result


RandomShuffle.no_grad()


def exchanged(distances: Array) -> Array:
    """The order of `n` things after the things at `i` and `i + distances[i]` swapped, i from 0 on.

    Nothing moves to a place before `i` from then on. So where things come from follows from the
    order of the steps that meet the same place: sorted, they show for each step the one before it
    at its partner's place, and the last one that brought something to its own place.
    """
    steps = np.arange(len(distances), dtype=np.uint64)
    meetings = (distances + steps) << 32 | steps
    meetings.sort()
    place, step = (meetings >> 32).view(np.int64), (meetings & 0xFFFFFFFF).view(np.int64)
    before = np.where(place[1:] == place[:-1], step[:-1], -1)  # the step before at this place

    at_start = np.arange(len(steps) + 1)  # the element at i before step i
    at_start[place] = step  # the last one of each place counts
    for i in np.flatnonzero(place == step).tolist():  # but no step brings its own place anything
        at_start[place[i]] = before[i - 1] if i and before[i - 1] >= 0 else place[i]
    while not np.array_equal(further := at_start.take(at_start), at_start):
        at_start = further

    order = at_start.copy()  # at the last place nothing is left to exchange
    order[step[0]] = place[0]
    order[step[1:]] = np.where(before >= 0, at_start.take(before), place[1:])
    return order


@op("RandomIndexShuffle")
def RandomIndexShuffle(
    xp: ArrayModule, index: Array, seed: Array, max_index: Array, *, rounds: Rounds
) -> Array:
    """Where each index from 0 to max_index comes to lie in an order that three words determine.

    A cipher permutes the numbers of so many bits as max_index has; those that it brings beyond
    max_index go through it until they are inside.
    """
    words = np.moveaxis(np.asarray(seed).astype(np.uint32), -1, 0)
    places, limit, *keys = (np.asarray(x).astype(np.uint64) for x in (index, max_index, *words))
    half = _half_bits(limit)
    round_keys = _simon_keys(keys, half, rounds)
    if limit.ndim or keys[0].ndim or limit >= 1 << _LEAST_BITS:
        found = _walked(places, limit, round_keys, half)
    else:
        found = _places(int(limit), round_keys, half)[places]
    return found.astype(index.dtype)[()]


RandomIndexShuffle.no_grad()


def _walked(places: Array, limit: Array, round_keys: list[Any], half: Array) -> Array:
    """Where some places come to lie, one application of the cipher after the other."""
    found, limit, *_ = (np.array(x) for x in np.broadcast_arrays(places, limit, *round_keys))
    outside = np.ones(found.shape, bool)
    while outside.any():
        found = np.where(outside, _simon(found, round_keys, half), found)
        outside = (found > limit) & (limit > 0)
    return np.where(limit > 0, found, 0)


def _places(limit: int, round_keys: list[Any], half: Array) -> Any:
    """Where all places up to a limit that is small come to lie.

    Most of what the cipher permutes is beyond it, and a way back inside may be long: with each pass
    all ways are made twice as long.
    """
    if not limit:
        return np.zeros(1, np.int64)
    found = _simon(np.arange(1 << _LEAST_BITS, dtype=np.uint64), round_keys, half).view(np.int64)
    while (outside := found > limit)[: limit + 1].any():
        found[outside] = found[found[outside]]
    return found


def _half_bits(limit: Array) -> Any:
    """Half of the bits that a cipher of numbers up to a limit works on."""
    bits = np.ceil(np.log2(np.maximum(limit, 1).astype(np.float64))).astype(np.uint64)
    return np.maximum(bits + bits % 2, _LEAST_BITS) // 2


def _simon_keys(keys: list[Any], half: Array, rounds: int) -> list[Any]:
    """The keys of all rounds of Simon, a cipher of Beaulieu and others (2013), from three."""
    mask = (np.uint64(1) << half) - 1
    found, sequence = [key & mask for key in keys], 0x7369F885192C0EF5
    for i in range(3, rounds):
        last = found[i - 1]
        turned = _rotated(last, half - 3, half) ^ _rotated(last, half - 4, half)
        found.append((0xFFFFFFFC ^ sequence & 1 ^ found[i - 3] ^ turned) & mask)
        sequence >>= 1
    return found


def _simon(numbers: Array, round_keys: list[Any], half: Array) -> Any:
    """The numbers that the cipher makes of some."""
    mask = (np.uint64(1) << half) - 1
    left, right = numbers >> half & mask, numbers & mask
    for key in round_keys:
        turned = _rotated(right, 1, half) & _rotated(right, 8, half) ^ _rotated(right, 2, half)
        left, right = right, left ^ turned ^ key
    return left << half | right


def _rotated(words: Array, left: IntLike, half: Array) -> Any:
    """Words of so many bits turned to the left."""
    mask = (np.uint64(1) << half) - 1
    return (words << left | words >> (half - left)) & mask
