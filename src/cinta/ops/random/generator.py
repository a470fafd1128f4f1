"""Generator: random numbers from a state that the program holds, a counter and a key."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine import settings
from ...engine.convert import as_tensor
from ...engine.distributed_values import DistributedValues
from ...engine.replicas import (
    VariableAggregation,
    VariableSynchronization,
    context,
    context_of_replica,
)
from ...engine.shapes import TensorShape
from ...engine.transactions import alone
from ...engine.variable import Variable
from ...public import name_methods, public
from ..arguments import instance, integer
from ..arrays.creation import zeros_like
from ..arrays.joining import stack, unstack
from ..elementwise.casting import bitcast
from .drawing import Drawing
from .generator_state import STATE_SIZE, AdvancedState, ReplicaState, as_int64, create_rng_state
from .kernels import RESERVED
from .seeds import Algorithm, algorithm, check_philox

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike
    from ...engine.op import Op
    from ...engine.tensor import Array, Tensor


@public("random.Generator", "random.experimental.Generator")
class Generator(Drawing):
    """A stream of random numbers whose state is a variable: it can be saved, reset and split.

    >>> import cinta as tf
    >>> g = tf.random.Generator.from_seed(1234)
    >>> g.normal([3]).numpy().round(4)
    array([ 0.9357,  1.0854, -0.9379], dtype=float32)
    >>> g.state.numpy()
    array([2002,    0,    0])

    One that is made in the scope of a strategy gives each replica a stream of its own.

    Args:
        copy_from: A generator to copy.
        state: A state, as another generator had it.
        alg: "philox" or "threefry", with ``state``.

    Raises:
        ValueError: If ``copy_from`` is given and something else too.
        AssertionError: If neither it nor both others are given.
    """

    def __init__(
        self,
        copy_from: Generator | None = None,
        state: NumericLike | None = None,
        alg: str | int | Algorithm | None = None,
    ) -> None:
        """Copies a generator, or takes a state and the name of its algorithm, "philox"."""
        if copy_from is not None:
            if state is not None or alg is not None:
                raise ValueError("Pass copy_from, or state and alg, but not both.")
            given = instance(copy_from, Generator, "copy_from")
            state, alg = given.state.numpy(), given.algorithm
        if state is None or alg is None:
            raise AssertionError("A Generator needs a state and an alg; see Generator.from_seed.")
        self.algorithm: int = algorithm(alg).value
        self._of_strategy = context() is not None
        self.state: Variable = Variable(
            self._checked(state),
            trainable=False,
            name="StateVar",
            synchronization=VariableSynchronization.ON_READ,  # so that no replica waits for others
            aggregation=VariableAggregation.ONLY_FIRST_REPLICA,
        )

    def __repr__(self) -> str:
        name = Algorithm(self.algorithm).name.lower()
        return f"<tf.random.Generator: alg={name}, state={self.state.numpy().tolist()}>"

    @classmethod
    def from_state(cls, state: NumericLike, alg: str | int | Algorithm) -> Generator:
        """A generator with this state, which another one had.

        >>> import cinta as tf
        >>> first = tf.random.Generator.from_seed(1)
        >>> second = tf.random.Generator.from_state(first.state, "philox")
        >>> bool(first.uniform([]) == second.uniform([]))
        True

        Args:
            state: The state.
            alg: "philox" or "threefry".
        """
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: NumericLike, alg: str | int | Algorithm | None = None) -> Generator:
        """A generator whose state is made of a whole number, or of a vector of them.

        Args:
            seed: A whole number, or a vector of them.
            alg: "philox", which None stands for, or "threefry".
        """
        alg = Algorithm.PHILOX if alg is None else alg
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: str | int | Algorithm | None = None) -> Generator:
        """A generator with a state that the operating system's entropy gives.

        >>> import cinta as tf
        >>> tf.random.Generator.from_non_deterministic_state().uniform([2]).shape
        TensorShape([2])

        Args:
            alg: "philox", which None stands for, or "threefry".

        Raises:
            RuntimeError: If the program is to be deterministic.
        """
        if settings.deterministic:
            raise RuntimeError(
                '"from_non_deterministic_state" cannot be called when determinism is enabled. Use '
                "tf.random.Generator.from_seed(1)."
            )
        return cls.from_seed(int.from_bytes(os.urandom(24), "little"), alg)

    @classmethod
    def from_key_counter(
        cls, key: NumericLike, counter: NumericLike, alg: str | int | Algorithm
    ) -> Generator:
        """A generator with this key (a number) and counter (a vector of two).

        >>> import cinta as tf
        >>> tf.random.Generator.from_key_counter(7, [0, 0], "philox").key.numpy()
        np.int64(7)

        Args:
            key: The key.
            counter: The counter.
            alg: "philox" or "threefry".
        """
        return cls(state=_joined(key, counter), alg=algorithm(alg))

    def _checked(self, state: NumericLike) -> Array:
        numbers = as_int64(state)
        TensorShape([STATE_SIZE[Algorithm(self.algorithm)]]).assert_is_compatible_with(
            numbers.shape
        )
        return numbers

    def reset(self, state: NumericLike) -> None:
        """Go on from this state.

        >>> import cinta as tf
        >>> generator = tf.random.Generator.from_seed(1)
        >>> before = tf.identity(generator.state)
        >>> first = generator.uniform([])
        >>> generator.reset(before)
        >>> bool(generator.uniform([]) == first)
        True
        """
        self.state.assign(self._checked(state), read_value=False)

    def reset_from_seed(self, seed: NumericLike) -> None:
        """Go on as ``from_seed`` starts.

        >>> import cinta as tf
        >>> generator = tf.random.Generator.from_seed(1)
        >>> first = generator.uniform([])
        >>> generator.reset_from_seed(1)
        >>> bool(generator.uniform([]) == first)
        True

        Args:
            seed: A whole number, or a vector of them.
        """
        self.reset(create_rng_state(seed, self.algorithm))

    def reset_from_key_counter(self, key: NumericLike, counter: NumericLike) -> None:
        """Go on as ``from_key_counter`` starts.

        >>> import cinta as tf
        >>> generator = tf.random.Generator.from_seed(1)
        >>> generator.reset_from_key_counter(7, [0, 0])
        >>> generator.key.numpy()
        np.int64(7)

        Args:
            key: A number.
            counter: A vector of two.
        """
        self.reset(_joined(key, counter))

    @property
    def key(self) -> Tensor:
        """The key, which names the stream.

        >>> import cinta as tf
        >>> tf.random.Generator.from_key_counter(7, [0, 0], "philox").key.numpy()
        np.int64(7)
        """
        return self.state.read_value()[-1]

    def skip(self, delta: NumericLike) -> Tensor:
        """Leave out as much of the stream as ``normal([delta])`` uses up; the state before that.

        >>> import cinta as tf
        >>> one, other = (tf.random.Generator.from_seed(1) for _ in range(2))
        >>> _ = one.normal([100]), other.skip(100)
        >>> bool(one.uniform([]) == other.uniform([]))
        True
        """
        return self._advance(integer(delta, "delta") * RESERVED)

    def _advance(self, blocks: int) -> Tensor:
        check_philox(self.algorithm)
        state, where = self.state, context_of_replica()
        if where is not None and isinstance(state, DistributedValues):
            state = state.values[where.number]
        return alone(state, _advanced, state, blocks)

    def _source(self, op: Op, names: tuple[Any, ...], blocks: int) -> Tensor:
        state, where = self._advance(blocks), context_of_replica()
        if self._of_strategy and where is not None:
            state = ReplicaState(state, where.replica.replica_id_in_sync_group)
        return bitcast(state, dtypes.uint64)

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for the stateless functions, as the columns of a [2, count] tensor.

        >>> import cinta as tf
        >>> tf.random.Generator.from_seed(1).make_seeds(3).shape
        TensorShape([2, 3])
        """
        keys = self.uniform_full_int([count], dtypes.int64)
        return stack([keys, zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """New generators with streams of their own; this one moves on.

        >>> import cinta as tf
        >>> len(tf.random.Generator.from_seed(1).split(3))
        3

        Args:
            count: How many to make.
        """
        keys = self.uniform_full_int([count], dtypes.int64)
        zeros = [0] * (STATE_SIZE[Algorithm(self.algorithm)] - 1)
        return [Generator(state=[*zeros, int(key)], alg=self.algorithm) for key in unstack(keys)]


name_methods("Generator", Drawing)


def _advanced(state: Variable, blocks: int) -> Tensor:
    before = state.read_value()
    state.assign(AdvancedState(before, blocks=blocks), read_value=False)
    return before


def _joined(key: NumericLike, counter: NumericLike) -> Array:
    """A counter and a key, one after the other as in a state."""
    if as_tensor(counter).ndim != 1:
        raise ValueError(f"counter must be a vector of two whole numbers, got {counter!r}.")
    return np.concatenate([as_int64(counter), as_int64([key])])


_global: Generator | None = None
_global_lock = threading.Lock()


@public("random.experimental.get_global_generator", "random.get_global_generator")
def get_global_generator() -> Generator:
    """The generator of the program; its state is not deterministic unless it was set.

    >>> import cinta as tf
    >>> tf.random.get_global_generator().normal([2]).shape
    TensorShape([2])

    Raises:
        RuntimeError: If none was set, and the program is to be deterministic.
    """
    global _global
    with _global_lock:
        if _global is None:
            if settings.deterministic:
                raise RuntimeError(
                    '"get_global_generator" cannot be called if determinism is enabled, unless '
                    '"set_global_generator" has already been called. Please call '
                    '"set_global_generator" first.'
                )
            _global = Generator.from_non_deterministic_state()
        return _global


@public("random.experimental.set_global_generator", "random.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Make this the generator of the program.

    >>> import cinta as tf
    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(1))
    """
    global _global
    with _global_lock:
        _global = generator
