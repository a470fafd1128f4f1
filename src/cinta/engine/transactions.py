"""Transactions: what a call does to variables, it does alone, and wholly or not at all.

A transaction is a call on one thread. It holds each variable that it changes until it ends, and
notes what the variable was, so that nothing is left of a call that fails.

A recording says which variables it assigns: `Holding` holds them from before they are read.
Of Python this is not known before it has run. Therefore ``all_or_nothing`` notes which values
Python sees. If another thread has changed such a value when Python assigns the variable, or if two
threads would wait for each other, everything is undone and Python runs again, and holds from its
beginning what it has been found to assign.

Clean-up is done twice throughout, by a ``finally`` in a ``finally``: a second time because an
interrupt may come into the first. All of it can be done any number of times.
"""

from __future__ import annotations

from _thread import get_ident
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias, TypeVar, TypeVarTuple, Unpack

from . import listeners
from .committing import commit
from .variable_locks import Conflict, free, hold, hold_all, hold_for, holders

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .device_values import Held
    from .tensor import Array
    from .variable_storage import VariableStorage

R = TypeVar("R")
Ts = TypeVarTuple("Ts")

Journal: TypeAlias = "dict[int, tuple[VariableStorage, Held]]"
"""The values of places before they were changed, by the places' numbers."""

_open: dict[int, Transaction] = {}
"""Transactions by their threads."""


class Transaction:
    """A call on this thread, and the numbers of the places that it holds."""

    journals: tuple[Journal, ...] = ()  # of this call, and of calls in it that may fail alone
    conflict = False  # whether it came in another's way: Python may have caught the exception

    def __init__(self, thread: int, held: list[int]) -> None:
        self.thread, self.held = thread, held
        self.seen: dict[int, Held] = {}  # by Python, if it runs

    def begin(self) -> None:
        """Hold the places, and be this thread's transaction."""
        _open[self.thread] = self
        hold_all(self.held, self.thread)

    def end(self) -> None:
        """Hold nothing more."""
        if _open.get(self.thread) is self:
            del _open[self.thread]
        free(self.held, self.thread)

    def whole(self, run: Callable[[], R], keep: bool) -> R:
        """Run a call of Python, and note what it sees of variables."""
        try:
            try:
                self.begin()
                listeners.add(self, self.thread)
                return self.part(run, keep)
            finally:
                listeners.remove(self, self.thread)
                self.end()
        finally:
            listeners.remove(self, self.thread)
            self.end()

    def part(self, run: Callable[[], R], keep: bool) -> R:
        """Run something of which nothing is left if it fails, or if it is not to be kept."""
        outer, journal = self.journals, dict[int, "tuple[VariableStorage, Held]"]()
        try:
            try:
                self.journals = *outer, journal
                returned = run()
                if keep and not self.conflict:
                    journal.clear()  # from here on it has happened
                return returned
            finally:
                self._undo(journal, outer)
        finally:
            self._undo(journal, outer)

    def _undo(self, journal: Journal, outer: tuple[Journal, ...]) -> None:
        if journal:
            failed = [place._held() for place, _ in journal.values()]
            commit(*zip(*journal.values(), strict=True))
            del failed
        self.journals = outer

    def noting(self, run: Callable[[], R]) -> tuple[R, bool]:
        """Return what `run` returns, and whether it has changed any variable."""
        outer, journal = self.journals, dict[int, "tuple[VariableStorage, Held]"]()
        try:
            self.journals = *outer, journal
            return run(), bool(journal)
        finally:
            self.journals = outer

    def on_read(self, variable: VariableStorage, value: Held) -> bool:
        """Note what Python sees of a variable."""
        self.seen.setdefault(variable._number, value)
        return False

    def change(self, place: VariableStorage) -> None:
        """A place is about to be changed: hold it, and note what it is."""
        number = place._number
        if holders.get(number) != self.thread:
            self._take(place, number)
        for journal in self.journals:
            if number not in journal:
                journal[number] = place, place._held()

    def _take(self, place: VariableStorage, number: int) -> None:
        self.held.append(number)
        try:
            hold(number, self.thread)
            if number in self.seen and self.seen[number] is not place._held():
                raise Conflict
        except Conflict:
            self.conflict = True
            raise


def current() -> Transaction | None:
    """The transaction of this thread."""
    return _open.get(get_ident())


@contextmanager
def shared(transaction: Transaction | None) -> Iterator[None]:
    """Let this thread take part in another one's transaction, while that thread waits for it."""
    if transaction is None:
        yield
        return
    thread = get_ident()
    _open[thread] = transaction
    try:
        yield
    finally:
        del _open[thread]


def all_or_nothing(run: Callable[[], R]) -> R:
    """Return what `run` returns; if it raises, variables are as before.

    It is called again if it gets in the way of another thread.
    """
    return _isolated(run, keep=True)


def leaving_no_trace(run: Callable[[], R]) -> R:
    """Return what `run` returns; variables are as before in any case."""
    return _isolated(run, keep=False)


def _isolated(run: Callable[[], R], keep: bool) -> R:
    outer = current()
    if outer is not None:
        return outer.part(run, keep)
    known: list[int] = []
    while True:
        transaction = Transaction(get_ident(), known.copy())
        try:
            returned = transaction.whole(run, keep)
            if not transaction.conflict:
                return returned
        except (Exception, Conflict):
            if not transaction.conflict:
                raise
        known = sorted({*known, *transaction.held})


def noting(run: Callable[[], R]) -> tuple[R, bool]:
    """Return what `run` returns, and whether it changed any place that a transaction notes."""
    outer = current()
    return (run(), False) if outer is None else outer.noting(run)


class Holding:
    """A way to run what changes certain places, which nobody else changes meanwhile.

    This is how a recording runs that assigns variables. The function that `call` is given reads
    them, computes, and gives them their new values with `commit`.
    """

    def __init__(self, places: Iterable[VariableStorage]) -> None:
        self.places = sorted(places, key=lambda place: place._number)
        self.numbers = [place._number for place in self.places]

    def call(self, run: Callable[[Unpack[Ts]], R], *args: *Ts) -> R:
        """Call a function while the places are held; return its result."""
        thread = get_ident()
        outer = _open.get(thread)
        if outer is not None:
            for place in self.places:
                outer.change(place)
            return run(*args)
        freed = False
        try:
            try:
                hold_all(self.numbers, thread)
                return run(*args)
            finally:
                free(self.numbers, thread)
                freed = True
        finally:
            if not freed:
                free(self.numbers, thread)


def alone(place: VariableStorage, change: Callable[[Unpack[Ts]], R], *args: *Ts) -> R:
    """Call a function that changes one place, which no other thread changes meanwhile."""
    thread = get_ident()
    outer = _open.get(thread)
    if outer is not None:
        outer.change(place)
        return change(*args)
    return hold_for(place._number, thread, change, *args)


def read_alone(place: VariableStorage, settle: Callable[[], Array]) -> Array:
    """The array of a place that is on a device, or that somebody may be writing to just now."""
    outer, before = current(), vars(place).get("_unsettled")
    try:
        array = hold_for(place._number, get_ident(), settle)
    except Conflict:
        if outer is not None:
            outer.conflict = True
        raise
    if outer is not None and before is not None and outer.seen.get(place._number) is before:
        outer.seen[place._number] = array  # the same value, fetched
    return array
