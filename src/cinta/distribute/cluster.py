"""The processes of a program: how they join, exchange values, and learn that one is gone.

All processes run the same program, so they come to the same *exchanges* in the same order. No wait
is without a limit. The collectives of JAX wait for ever for a process that is stopped or late, so
they run on a thread of their own, and the program looks at the signs that all processes give.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import numpy as np

from ..engine.by_itself import check_may_wait
from ..errors import DeadlineExceededError, UnavailableError
from .habits import Expected, Habits
from .process_messages import read, written
from .signs_of_life import BEAT, Heart, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.replicas import Trial

T = TypeVar("T")

JOINING = 300.0
"""Seconds in which all processes must start."""

LATE = 600.0
"""Seconds after which a process is late that lives, but does not come."""

SILENCE = 30.0
"""Seconds without a sign of life after which a process is gone."""

_GRACE = 3.0
"""Seconds that the first process stays after a failure, so that the others tell of it, too."""

_AGAIN = "Start all workers again: they go on from the last checkpoint."


class Cluster:
    """The processes of a program as this one of them sees them."""

    def __init__(self, names: Sequence[str], number: int, limit: float | None) -> None:
        self.names, self.number = names, number
        self._late, self._silence = limit or LATE, min(SILENCE, limit or SILENCE)
        self.first = 0  # replica of this process
        self._step = 0
        self._habits = Habits()
        self._heart = Heart(number)
        self._broken: Exception | None = None
        self._work: SimpleQueue[_Task[Any]] = SimpleQueue()

    def __len__(self) -> int:
        return len(self.names)

    # -- joining and leaving -------------------------------------------------------------------

    def join(self, address: str, devices: int) -> None:
        """Wait until all processes have started."""
        from . import byte_exchange

        limit = JOINING if self._late == LATE else self._late
        atexit.register(self._leave)  # before JAX leaves, which would wait for those who are gone
        try:
            byte_exchange.join(address, len(self), self.number, devices, limit)
        except Exception as error:
            lacking = [i for i in range(len(self)) if f"\n{i}\n" in str(error)] or [0]
            who = "the others" if self.number == 0 and lacking == [0] else self._named(lacking)
            self._break(
                UnavailableError(
                    f"{self.names[self.number]} waited {limit:g} s for {who} to start: "
                    f"{str(error).splitlines()[0]}"
                )
            )
        threading.Thread(target=self._work_on, daemon=True).start()
        self._heart.start()

    def _leave(self) -> None:
        """At the end of the program: tell the others, and wait until they have ended as well."""
        from . import byte_exchange

        failure = self._broken or getattr(sys, "last_value", None)
        if failure is not None and not isinstance(failure, SystemExit):
            with suppress(Exception):
                byte_exchange.set_key(f"cinta/left/{self.number}", f"failed: {_in_short(failure)}")
            if self.number == 0:
                self._let_others_end()
            _end_at_once()
        with suppress(Exception):
            byte_exchange.set_key(f"cinta/left/{self.number}", "ended")
        watch = Watch(len(self), self.number)
        while None in (left := [self._left(i) for i in range(len(self))]):
            if watch.silent(self._silence):
                _end_at_once()
            threading.Event().wait(0.05)
        if {*left} != {"ended"}:  # JAX would wait for minutes for one that has failed
            _end_at_once()
        self._heart.stop()

    def _let_others_end(self) -> None:
        """Stay for a while: JAX ends the others by a signal where the first process is gone."""
        stop = monotonic() + _GRACE
        threading.Event().wait(BEAT)  # those who have ended look whether all have
        while monotonic() < stop and not all(self._left(i) for i in range(len(self))):
            threading.Event().wait(0.05)

    @staticmethod
    def _left(number: int) -> str | None:
        from . import byte_exchange

        return byte_exchange.key(f"cinta/left/{number}")

    # -- exchanging ----------------------------------------------------------------------------

    def exchange(self, what: str, values: Sequence[Any]) -> list[Any]:
        """The values of all replicas, where this process gives those of its own."""
        return [value for part in self.exchange_parts(what, values) for value in part]

    def exchange_parts(
        self, what: str, values: Sequence[Any], limit: float | None = None
    ) -> list[list[Any]]:
        """The values that each process gives, apart; with a limit of seconds of its own."""
        self._begin(what)
        messages = self._within_limits(what, partial(_gathered, written(what, values)), limit)
        return self._read(messages)

    def if_alike(self, what: str, key: str, begin: Callable[[], T], trial: Trial) -> T | None:
        """The results of a program that all processes begin if they give one key; else None.

        Where it is expected, all begin it without asking, and see whether others did so, too.
        """
        self._count(what)
        program = Expected(f"{what}, {key}", what, trial)
        if self._is_expected(program):
            found = self._ended(what, begin)
            if trial.all_take_part(found):
                self._habits.came(program.event, program)
                return found
            self._habits.forget()
        messages = self._within_limits(what, partial(_gathered, written(what, [key])))
        self._read(messages)
        if len({*messages}) > 1:
            self._habits.came(what)
            return None
        self._habits.came(program.event, program)
        found = self._ended(what, begin)
        trial.all_take_part(found)
        return found

    def _is_expected(self, program: Expected | None) -> bool:
        """Whether all expect this program; another one that is expected is run in vain."""
        expected = self._habits.next
        if expected is None:
            return False
        if program is not None and expected.event == program.event:
            return True
        self._ended(expected.what, expected.trial.idle)
        self._habits.forget()
        return False

    def _ended(self, what: str, begin: Callable[[], T]) -> T:
        """The results of a program; also its beginning may wait for the others."""
        from . import byte_exchange

        return self._within_limits(what, lambda: byte_exchange.ready(begin()))

    def _begin(self, what: str) -> None:
        """Begin an exchange, unless one has failed before."""
        self._count(what)
        self._is_expected(None)
        self._habits.came(what)

    def _count(self, what: str) -> None:
        self._check_may_wait(what)
        self._step += 1

    def _check_may_wait(self, what: str) -> None:
        check_may_wait(what)
        if self._broken is not None:
            raise self._broken

    def _read(self, messages: Sequence[bytes]) -> list[list[Any]]:
        """The values that each process has sent. All must have sent them from the same place."""
        places, parts = zip(*map(read, messages), strict=True)
        if len({*places}) > 1:
            self._broken = RuntimeError(
                "Processes wait for each other at different places: "
                + "; ".join(
                    f"{name} waits at {place}"
                    for name, place in zip(self.names, places, strict=True)
                )
                + ". All must run the same program, with the same calls in the same order."
            )
            raise self._broken
        return list(parts)

    def of_first(self, what: str, value: T) -> T:
        """The value that the first process gives."""
        found: T = self.exchange_parts(what, [value if self.number == 0 else None])[0][0]
        return found

    def together(self, what: str, work: Callable[[], T], agree: bool = True) -> T:
        """The result of work that all processes do, and that may wait for the others.

        Unless they have agreed before, they make sure that all do the same.
        """
        self._begin(what)
        if agree:
            self.exchange_parts(what, [])
        return self._within_limits(what, work)

    def _within_limits(self, what: str, work: Callable[[], T], limit: float | None = None) -> T:
        task = _Task(work)
        self._work.put(task)
        watch, begun = Watch(len(self), self.number), monotonic()
        while not task.done.wait(BEAT):
            self._look(what, watch, monotonic() - begun, task, limit or self._late)
        if task.error is not None:
            self._break(self._closed(what, watch, task.error))
        return task.result  # type: ignore[return-value]  # it is done

    def _work_on(self) -> None:
        while True:
            self._work.get().run()

    # -- the signs of the others ---------------------------------------------------------------

    def _look(self, what: str, watch: Watch, waited: float, task: _Task[T], limit: float) -> None:
        """Raise if a process that is waited for has left, is gone, or is late."""
        from . import byte_exchange

        here = f"{self.names[self.number]} waits at {what}"
        with suppress(Exception):
            byte_exchange.set_key(f"cinta/at/{self.number}", str(self._step))
        for i in range(len(self)):
            if (left := self._left(i)) and not task.done.wait(BEAT):
                self._break(UnavailableError(f"{self.names[i]} has {left}; {here}. {_AGAIN}"))
        if gone := watch.silent(self._silence if waited < limit else 3 * BEAT):
            self._break(
                UnavailableError(
                    f"{self._named(gone)} is gone or stopped: it gives no sign of life since "
                    f"{here}, {waited:.0f} s ago. {_AGAIN}"
                )
            )
        if waited > limit:
            late = [
                i for i in range(len(self)) if byte_exchange.key(f"cinta/at/{i}") != str(self._step)
            ] or [i for i in range(len(self)) if i != self.number]
            self._break(
                DeadlineExceededError(
                    f"{self._named(late)} is late: it lives, but has not come within "
                    f"{limit:g} s; {here}. A longer limit is given by "
                    "tf.distribute.experimental.CommunicationOptions(timeout_seconds=...)."
                )
            )

    def _closed(self, what: str, watch: Watch, error: Exception) -> Exception:
        """The error that tells which process has closed its connections."""
        lacking = [i for i in range(len(self)) if i != self.number]
        if len(lacking) > 1:
            watch.silent(self._silence)  # looks at what has come by now
            threading.Event().wait(3 * BEAT)
            lacking = watch.silent(2 * BEAT) or lacking
        told = [f"{self.names[i]} has {left}" for i in lacking if (left := self._left(i))]
        are = "is" if len(lacking) == 1 else "are"
        who = "; ".join(told) or f"{self._named(lacking)} {are} gone"
        return UnavailableError(
            f"{who}; {self.names[self.number]} waits at {what}. {_AGAIN} ({_in_short(error)})"
        )

    def _break(self, error: Exception) -> NoReturn:
        """Let nothing more be exchanged. The words come at once: JAX may end this process."""
        self._broken = error
        os.write(2, f"cinta: {error}\n".encode())
        raise error

    def _named(self, numbers: Sequence[int]) -> str:
        return ", ".join(self.names[i] for i in numbers)


class _Task(Generic[T]):
    """Work for the thread that may be left waiting."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work, self.done = work, threading.Event()
        self.result: T | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self.result = self._work()
        except Exception as error:
            self.error = error
        self.done.set()


def _gathered(message: bytes) -> list[bytes]:
    """The messages of all processes."""
    from . import byte_exchange

    return byte_exchange.gathered(message)


def _in_short(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]


def _end_at_once() -> NoReturn:
    """End the process with a failure, and wait for nobody."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(1)


_joined: list[Cluster] = []


def joined() -> Cluster | None:
    """The cluster of this program, if it has joined one."""
    return _joined[0] if _joined else None


def joined_cluster(
    names: Sequence[str], address: str, number: int, devices: int, limit: float | None
) -> Cluster:
    """The cluster of this program, which is joined once; its processes have as many devices."""
    if _joined:
        (cluster,) = _joined
        if [*cluster.names] != [*names] or cluster.number != number:
            raise RuntimeError(
                f"This process is {cluster.names[cluster.number]} of {len(cluster)} already, and "
                "cannot take part in another cluster."
            )
        return cluster
    from . import byte_exchange

    if byte_exchange.is_running():
        raise RuntimeError(
            "Collective ops must be configured at program startup: make the strategy before "
            "anything is compiled or computed by XLA."
        )
    cluster = Cluster(names, number, limit)
    cluster.join(address, devices)
    _joined.append(cluster)
    counts = cluster.exchange("the number of devices", [np.int64(devices)])
    if len({*counts}) > 1:
        raise ValueError(
            "Each process must have as many devices as the others: "
            + ", ".join(f"{name} has {n}" for name, n in zip(names, counts, strict=True))
            + "."
        )
    cluster.first = number * devices
    return cluster
