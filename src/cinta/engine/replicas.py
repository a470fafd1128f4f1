"""Replicas of a computation: where a call runs, and how replicas on one machine take turns.

The replicas of a call run in lock-step. Each has a thread of its own, and one of them runs at a
time, until it comes to a *meeting*, or to its end. Then it is the next one's turn. When all have
come to the meeting, the first replica, which is the caller's own thread, does what is to be done
for all of them, and each goes on with its part of the result. So tapes and variables need no locks,
and sums are always added in the same order.

Where replicas are in several processes, the first replica of each process exchanges the values of
its replicas with the *peers*, and does the same work on the values of all.
"""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import contextmanager
from contextvars import copy_context
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from ..public import public
from . import transactions
from .listeners import listening

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .device_values import Held
    from .variable import Variable

T = TypeVar("T")
R = TypeVar("R")


@public("VariableSynchronization")
class VariableSynchronization(Enum):
    """When the copies of a variable on several replicas are made alike.

    ``AUTO`` leaves it to the strategy. ``NONE`` is refused where there are several replicas.
    ``ON_WRITE`` makes copies alike whenever one is written to. ``ON_READ`` lets each go its own
    way, and makes them one when the value is read outside of replicas. A variable outside of a
    strategy has one copy: all are the same to it.

    >>> import cinta as tf
    >>> v = tf.Variable(1.0, synchronization=tf.VariableSynchronization.ON_READ)
    >>> v.synchronization.name
    'ON_READ'
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@public("VariableAggregation")
class VariableAggregation(Enum):
    """How the values that several replicas give a variable become one.

    ``NONE`` refuses values that differ. ``SUM`` adds them. ``MEAN`` takes their mean.
    ``ONLY_FIRST_REPLICA`` takes that of the first replica. A variable outside of a strategy gets
    one value: all are the same to it.

    >>> import cinta as tf
    >>> tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN).aggregation.name
    'MEAN'
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


class Context(NamedTuple):
    """Where a call runs: under which strategy, and for which of its replicas, None for all."""

    strategy: Any  # a Strategy, of which this layer knows nothing
    replica: Any
    turns: ReplicaTurns | None = None
    number: int = 0


class Peers(Protocol):
    """The processes that have the other replicas, of which this layer knows nothing."""

    first: int
    """The number of the first replica of this process, among all replicas."""

    def exchange(self, what: str, values: Sequence[Any]) -> list[Any]:
        """The values of all replicas, where this process gives those of its own."""
        ...


class Processes(Protocol):
    """The processes of a program, of which this is one."""

    number: int
    """The number of this process."""

    def __len__(self) -> int: ...

    def exchange_parts(self, what: str, values: Sequence[Any]) -> list[list[Any]]:
        """The values that each process gives, in the order of the processes."""
        ...

    def together(self, what: str, work: Callable[[], T], agree: bool = True) -> T:
        """The result of work that all do, and that may wait for the others; within limits."""
        ...

    def if_alike(self, what: str, key: str, begin: Callable[[], T], trial: Trial) -> T | None:
        """The results of a program that all begin if they give one key; else None."""
        ...


class Trial(Protocol):
    """A program that processes begin without asking each other before."""

    def idle(self) -> Any:
        """Begin it with nothing to do."""
        ...

    def all_take_part(self, found: Any) -> bool:
        """Whether all processes had something to do; takes that out of the results."""
        ...


class _Presence:
    """Listens to nothing; while it is there, calls do not take the short ways without a context."""

    def on_read(self, variable: Variable, value: Held) -> bool:
        return False


class _Contexts(threading.local):
    def __init__(self) -> None:
        self.entered: list[Context] = []


_contexts = _Contexts()
_PRESENCE = _Presence()


def context() -> Context | None:
    """Where this call runs; None where there is no strategy."""
    entered = _contexts.entered
    return entered[-1] if entered else None


def context_of_replica() -> Context | None:
    """The same if it is for one replica; None if it is for all of them."""
    where = context()
    return None if where is None or where.replica is None else where


@contextmanager
def within(where: Context) -> Iterator[None]:
    """Let the block run there."""
    with listening(_PRESENCE):
        _contexts.entered.append(where)
        try:
            yield
        finally:
            _contexts.entered.pop()


class Abandoned(BaseException):
    """Another replica has failed, so this one ends as well."""


class ReplicaTurns:
    """The replicas of one call in this process, which take turns."""

    def __init__(self, count: int, peers: Peers | None = None) -> None:
        self.count, self.peers = count, peers
        self._may_run = [threading.Semaphore(0) for _ in range(count)]
        self._given: list[tuple[str, Any] | None] = [None] * count  # where replicas wait, with what
        self._results: Sequence[Any] = ()
        self._error: BaseException | None = None
        self._made: dict[str, list[Any]] = {}  # by the first replica, which is ahead of the others
        self._taken: Counter[tuple[int, str]] = Counter()

    def made(self, number: int, what: str, make: Callable[[], T]) -> T:
        """The object that the first replica makes; the others take it when they come there.

        Nobody waits: an object that replicas share, such as a layer, is built wholly by the first,
        and the others find it built. Objects are known by what is made, and by their order.
        """
        made = self._made.setdefault(what, [])
        if number == 0:
            new = make()
            made.append(new)
            return new
        place = self._taken[number, what]
        self._taken[number, what] += 1
        if place == len(made):
            raise RuntimeError(
                f"Replica {number} comes to {what}, to which replica 0 has not come: all replicas "
                "must make the same variables, in the same order."
            )
        shared: T = made[place]
        return shared

    def meet(self, number: int, what: str, value: T, work: Callable[[list[T]], Sequence[R]]) -> R:
        """Wait until all replicas are here; `work` makes of their values the results for each."""
        peers = self.peers
        if peers is None:
            return self.meet_here(number, what, value, work)

        def work_for_all(values: list[T]) -> Sequence[R]:
            first = peers.first
            return work(peers.exchange(what, values))[first : first + len(values)]

        return self.meet_here(number, what, value, work_for_all)

    def meet_here(
        self, number: int, what: str, value: T, work: Callable[[list[T]], Sequence[R]]
    ) -> R:
        """The same among the replicas of this process."""
        self._given[number] = what, value
        self._pass_on(number)
        if number == 0:
            self._meet_all(work)
        found: R = self._results[number]
        return found

    def _meet_all(self, work: Callable[[list[Any]], Sequence[Any]]) -> None:
        if self._error is not None:
            raise self._error
        places = [None if given is None else given[0] for given in self._given]
        if len({*places}) > 1:
            raise RuntimeError(
                "Replicas wait for each other at different places: "
                + "; ".join(f"replica {i} {_at(place)}" for i, place in enumerate(places))
                + ". All replicas must make the same calls of collectives, in the same order."
            )
        values = [given[1] for given in self._given if given is not None]
        self._given = [None] * self.count
        self._results = work(values)

    def _pass_on(self, number: int) -> None:
        """Let the others run until they wait as well."""
        self._may_run[(number + 1) % self.count].release()
        self._may_run[number].acquire()
        if self._error is not None and number:
            raise Abandoned

    def run(self, replicas: Sequence[Callable[[], T]]) -> list[T]:
        """The results of the replicas."""
        results: list[Any] = [None] * self.count
        transaction = transactions.current()

        def follow(number: int) -> None:
            self._may_run[number].acquire()
            try:
                if self._error is None:
                    with transactions.shared(transaction):
                        results[number] = replicas[number]()
            except Abandoned:
                pass
            except BaseException as error:
                self._error = self._error or error
            self._may_run[(number + 1) % self.count].release()

        threads = [
            threading.Thread(target=copy_context().run, args=(follow, i), daemon=True)
            for i in range(1, self.count)
        ]
        for thread in threads:
            thread.start()
        try:
            results[0] = replicas[0]()
            self._end()
        except BaseException as error:
            self._error = self._error or error
            raise self._error from None
        finally:
            for i, thread in enumerate(threads, 1):
                self._may_run[i].release()
                thread.join()
        return results

    def _end(self) -> None:
        """Let the others run to their ends, after the first replica has come to its own."""
        self._given[0] = None
        self._may_run[1 % self.count].release()
        self._may_run[0].acquire()
        if self._error is not None or any(self._given):
            self._meet_all(list)


def _at(place: str | None) -> str:
    return "has returned" if place is None else f"waits at {place}"


def meet(what: str, value: T, work: Callable[[list[T]], Sequence[R]]) -> R:
    """Wait until all replicas of the call are here; `work` makes of their values those for each.

    Where there is one replica, nobody is waited for.
    """
    where = context()
    if where is None or where.turns is None:
        return work([value])[0]
    return where.turns.meet(where.number, what, value, work)


def meet_here(what: str, value: T, work: Callable[[list[T]], Sequence[R]]) -> R:
    """The same among the replicas of this process."""
    where = context()
    if where is None or where.turns is None:
        return work([value])[0]
    return where.turns.meet_here(where.number, what, value, work)


def shared_by_all(what: str, value: T) -> tuple[T, ...]:
    """The value of each replica of the call, for all of them."""
    return meet(what, value, lambda values: [tuple(values)] * len(values))


def made_by_first(what: str, make: Callable[[], T]) -> T:
    """The object that the first replica of this process makes, for all of them."""
    where = context()
    if where is None or where.turns is None:
        return make()
    return where.turns.made(where.number, what, make)


def once(what: str, work: Callable[[], T]) -> T:
    """Do this once for all replicas of this process; each gets what it returns."""
    return meet_here(what, None, lambda values: [work()] * len(values))
