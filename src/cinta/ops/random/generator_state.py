"""The states of generators of random numbers: made, advanced, and given to replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.op import op
from ...public import public
from ..arguments import unbounded, whole_numbers
from .kernels import StatelessRandomUniformFullIntV2
from .seeds import Algorithm, algorithm
from .state import as_state

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


STATE_SIZE = {Algorithm.PHILOX: 3, Algorithm.AUTO_SELECT: 3, Algorithm.THREEFRY: 2}
_SPAN = 2**64


@op("RngSkip")
def AdvancedState(xp: ArrayModule, state: Array, *, blocks: int) -> Array:
    """The state after so many blocks of the stream."""
    low, high, key = (int(part) % _SPAN for part in state)
    counter = (low | high << 64) + blocks
    result: Array = as_int64([counter, counter >> 64, key])
    return result


AdvancedState.no_grad()


@op("RngOfReplica")
def ReplicaState(xp: ArrayModule, state: Array, replica: Array) -> Array:
    """The state from which a replica draws: its number and the key of all give it a key."""
    *counter, key = state.tolist()
    numbers = as_state(key % _SPAN, int(replica))
    own = StatelessRandomUniformFullIntV2.run(numbers, shape=(1,), dtype=np.dtype(np.int64))
    return np.array([*counter, *own.tolist()], np.int64)


ReplicaState.no_grad()


@public("random.create_rng_state", "random.experimental.create_rng_state")
def create_rng_state(seed: NumericLike, alg: str | int | Algorithm) -> Tensor:
    """The state that a whole number, or a vector of them, gives a generator.

    >>> import cinta as tf
    >>> tf.random.create_rng_state(1234, "philox").numpy()
    array([1234,    0,    0])

    Args:
        seed: A whole number, or a vector of them.
        alg: "philox" or "threefry".
    """
    size = STATE_SIZE[algorithm(alg)]
    if isinstance(seed, int):
        return as_tensor(as_int64([seed >> 64 * i for i in range(size)]))
    numbers = as_int64(seed).reshape(-1)[:size]
    return as_tensor(np.concatenate([np.zeros(size - len(numbers), np.int64), numbers]))


def as_int64(numbers: NumericLike) -> Array:
    """Whole numbers, of which each counts modulo 2⁶⁴, as an int64 array."""
    if isinstance(numbers, (list, tuple)):
        whole = [unbounded(n, "seed") for n in numbers]
        return np.array([(n + _SPAN // 2) % _SPAN - _SPAN // 2 for n in whole], np.int64)
    return np.asarray(whole_numbers(numbers, "seed"), np.int64)
