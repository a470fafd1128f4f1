"""Where the bits of a random op come from: the global seed, the ops' own seeds, their streams.

A stream is a key and a counter of Philox. Two seeds, the global one and the op's, name a stream;
the first is its key, the second the upper half of its counter, so no two streams meet. Ops that
are alike in name, dtypes and seeds share one stream and go on where the last one stopped, until
``set_seed`` starts everything anew. An op without a seed of its own takes the next one of a
sequence that the global seed determines. Without a seed, the system's entropy does. In a function
each op has a stream of its own, and its number there for a seed: `places` says how they count.
"""

from __future__ import annotations

import os
import random
import threading
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine import settings
from ...engine.op import Op, op, originate
from ...engine.recorders import cannot_be_replayed
from ...public import public
from ..arguments import unbounded
from . import op_numbering

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule, IntLike
    from ...engine.shapes import Count
    from ...engine.tensor import Array, Tensor

_LARGEST_SEED = 2**31 - 1
_DEFAULT_GLOBAL_SEED = 87654321  # TensorFlow's, for ops that have a seed when the program has none
_COUNTERS = 2**128


def as_state(key: int, counter: int) -> Array:
    """A key and a counter as the array that the random ops take."""
    return np.array([counter & (2**64 - 1), counter >> 64, key], np.uint64)


class SeedPair(NamedTuple):
    """Both seeds of an op, where it is told both."""

    global_seed: int
    op_seed: int


class ProgramSeeds:
    """The seeds of a program and the streams that they have started."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.restart(None)

    def restart(self, seed: int | None) -> None:
        """Forget all streams; from now on this is the global seed, None for no seed."""
        with self.lock:
            self.seed = seed
            self._op_seeds = random.Random(seed)
            self._counters: dict[tuple[Any, ...], tuple[int, int]] = {}
            self.learned: dict[tuple[Any, ...], Any] = {}  # values that ops keep from call to call

    def take(self, name: tuple[Any, ...], op_seed: int | SeedPair | None, blocks: Count) -> Array:
        """The state from which an op may draw this many blocks that no other op will draw."""
        with self.lock:
            self._check(op_seed)
            stream: tuple[Any, ...] = (*name, op_seed)
            in_function = type(name[0]) is tuple
            if in_function:
                place, *rest = stream
                stream = (*op_numbering.root(), *place, *rest)
            if self.seed is not None and op_seed is None:
                if not in_function:
                    return as_state(*self.start(self._next_op_seed()))
                op_seed = name[0][-1]
            key, counter = self._counters.get(stream) or self.start(op_seed)
            self._counters[stream] = key, (counter + blocks) % _COUNTERS
            return as_state(key, counter)

    def _check(self, op_seed: int | SeedPair | None) -> None:
        """Refuse to draw by the system's entropy in a program that is to be deterministic."""
        if settings.deterministic and self.seed is None and op_seed is None:
            raise RuntimeError(
                "Random ops require a seed to be set when determinism is enabled. Please set a "
                "seed before running the op, e.g. by calling tf.random.set_seed(1)."
            )

    def _next_op_seed(self) -> int:
        """The next of the sequence that the global seed determines."""
        return self._op_seeds.randint(0, _LARGEST_SEED)

    def pair(self, op_seed: int | None) -> tuple[int, int] | None:
        """The two seeds for an op's own seed; None without any seed."""
        with self.lock:
            self._check(op_seed)
            if op_seed is None:
                if self.seed is None:
                    return None
                op_seed = self._next_op_seed()
            return self._pair(op_seed)

    def start(self, op_seed: int | SeedPair | None) -> tuple[int, int]:
        """The key and the first counter of the stream of an op with this seed."""
        if op_seed is None:
            entropy = int.from_bytes(os.urandom(16), "little")
            return entropy >> 64, (entropy % 2**64) << 64
        key, op_seed = self._pair(op_seed)
        return key, op_seed << 64

    def _pair(self, op_seed: int | SeedPair) -> tuple[int, int]:
        if isinstance(op_seed, SeedPair):
            return op_seed
        key = (_DEFAULT_GLOBAL_SEED if self.seed is None else self.seed) % _LARGEST_SEED
        op_seed %= _LARGEST_SEED
        if (key, op_seed) == (0, 0):  # which would mean: no seeds
            op_seed = _LARGEST_SEED
        return key, op_seed

    def forget(self, owner: object) -> None:
        """Forget the streams of a function that is gone."""
        with self.lock:
            for stream in [each for each in list(self._counters) if each[0] is owner]:
                del self._counters[stream]

    def snapshot(self) -> tuple[Any, ...]:
        """The state that `rewind` takes to draw the same numbers again."""
        with self.lock:
            return self.seed, self._op_seeds.getstate(), dict(self._counters), dict(self.learned)

    def rewind(self, snapshot: tuple[Any, ...]) -> None:
        """Go back to a snapshot."""
        with self.lock:
            self.seed, state, self._counters, self.learned = snapshot
            self._op_seeds.setstate(state)


seeds = ProgramSeeds()


def owner_of_streams(function: object) -> object:
    """The names of the streams of a function's ops, for as long as it lives."""
    owner = object()
    weakref.finalize(function, seeds.forget, owner).atexit = False
    return owner


@op("NextRandomState", effects=True)
def NextRandomState(
    xp: ArrayModule, *, stream: tuple[Any, ...], op_seed: int | None, blocks: int
) -> Array:
    """Advance a stream by some blocks; return the state from which to draw them.

    In a function, the name of a stream begins with the op's place.
    """
    return seeds.take(stream, op_seed, blocks)


NextRandomState.no_grad()


def placed(attrs: dict[str, Any]) -> dict[str, Any]:
    """The attributes of a state in a graph as they are in the graph that it is now part of."""
    place, *name = attrs["stream"]
    graph = op_numbering.current()
    if graph is None or type(place) is not tuple:
        return attrs
    return {**attrs, "stream": ((*graph.path, *place), *name)}


def checked_seed(op_seed: IntLike | None) -> int | SeedPair | None:
    """The seed of an op, if it is one."""
    if op_seed is None or isinstance(op_seed, SeedPair):
        return op_seed
    is_whole = isinstance(op_seed, float) and op_seed.is_integer()
    return unbounded(int(op_seed) if is_whole else op_seed, "seed")


def stream(op_seed: Any) -> Callable[[Op, tuple[Any, ...], int], Tensor]:
    """The source of states for an op with this seed: the streams of the program."""
    seed = checked_seed(op_seed)

    def source(random_op: Op, kinds: tuple[Any, ...], blocks: int) -> Tensor:
        name = (random_op.name, *kinds)
        graph = op_numbering.current()
        if graph is not None:
            name = (graph.next_op(has_seed=seed is not None), *name)
        state: Tensor = originate(NextRandomState, stream=name, op_seed=seed, blocks=blocks)
        return state

    return source


def stream_of_a_pass() -> Callable[[Op, tuple[Any, ...], int], Any]:
    """The source of states for an op without a seed in a function of a dataset, for one pass.

    TensorFlow takes the place of such an op in its function, here the first, for its seed.
    """
    key, counter = seeds.start(None if seeds.seed is None else 0)

    def source(random_op: Op, kinds: tuple[Any, ...], blocks: int) -> Array:
        nonlocal counter
        state, counter = as_state(key, counter), (counter + blocks) % _COUNTERS
        return state

    return source


@public("random.set_seed", "compat.v1.set_random_seed")
def set_seed(seed: int | None) -> None:
    """Set the global seed: from here on, the same program draws the same random numbers.

    >>> import cinta as tf
    >>> tf.random.set_seed(42)
    >>> first = tf.random.uniform([2])
    >>> tf.random.set_seed(42)
    >>> bool(tf.reduce_all(tf.random.uniform([2]) == first))
    True
    """
    cannot_be_replayed("it sets the global seed")
    seeds.restart(None if seed is None else unbounded(seed, "seed"))
