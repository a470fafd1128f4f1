"""Attempts: each Python function that a recording calls is called once in a call of tf.function.

A guard behind a ``py_function`` may fail when that has been called already. Another recording, or
the Python itself, then comes to the same function again, with the same arguments: up to the guard
it goes the same way. So it gets what the function gave before.
"""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, TypeVarTuple, Unpack

from ..ops.random import op_numbering
from ..ops.random.state import seeds

if TYPE_CHECKING:
    from collections.abc import Callable

R = TypeVar("R")
Ts = TypeVarTuple("Ts")


class _Here(threading.local):
    attempts: Attempts | None = None


_here = _Here()


class Outcome(NamedTuple):
    """The result or error of a call, and the state of random numbers after it."""

    given: Any
    error: Exception | None
    seeds: Any


class Attempts:
    """The calls that the attempts at one call have made so far."""

    def __init__(self) -> None:
        self._done: list[tuple[Any, Outcome]] = []
        self._place = 0
        self._outer: Attempts | None = None

    def another(self, run: Callable[[Unpack[Ts]], R], *args: *Ts) -> R:
        """Try again, from the beginning; it ends twice, in case of an interrupt in its end."""
        self._place, self._outer = 0, _here.attempts
        try:
            try:
                _here.attempts = self
                return run(*args)
            finally:
                _here.attempts = self._outer
        finally:
            _here.attempts = self._outer

    def once(self, function: object, call: Callable[[], Any]) -> object:
        """Make the call, or give its result in an attempt before this one."""
        key = getattr(function, "__code__", function)
        if self._place < len(self._done) and self._done[self._place][0] == key:
            _, outcome = self._done[self._place]
            seeds.rewind(outcome.seeds)
        else:
            outcome = self._outcome(function, call)
            self._done[self._place :] = [(key, outcome)]
        self._place += 1
        if outcome.error is not None:
            raise outcome.error
        return outcome.given

    def _outcome(self, function: object, call: Callable[[], Any]) -> Outcome:
        given = error = None
        _here.attempts = None  # calls inside the function are not counted
        try:
            given = call() if self._outer is None else self._outer.once(function, call)
        except Exception as raised:
            error = raised
        finally:
            _here.attempts = self
        return Outcome(given, error, seeds.snapshot())


def once(function: object, call: Callable[[], Any]) -> Any:
    """Call a Python function, or give the result of the same call in an earlier attempt."""
    if _here.attempts is not None:
        call = partial(_here.attempts.once, function, call)
    return op_numbering.run_in(None, call)
