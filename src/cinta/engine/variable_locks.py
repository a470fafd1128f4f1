"""Locks on variables: while a thread changes a variable, no other thread does.

``holders`` says which thread holds which variable. A thread enters itself by ``setdefault``, with a
whole number as the key, which is one step of the interpreter; it removes only itself. So the dict
needs no lock. To free what is free already does nothing, so it can be done again when an interrupt
may have come into it.

A thread that waits puts a queue into ``waiting`` before it looks once more; one that frees a
variable looks there afterwards. So one of the two sees the other.
"""

from __future__ import annotations

from _queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias, TypeVar, TypeVarTuple, Unpack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

R = TypeVar("R")
Ts = TypeVarTuple("Ts")

Thread: TypeAlias = int
Number: TypeAlias = int

holders: dict[Number, Thread] = {}
"""The threads that hold variables, by the numbers of these."""

waiting: dict[Thread, tuple[Number, SimpleQueue[None]]] = {}
"""The locks that threads wait for, and how they are woken."""


class Conflict(BaseException):
    """Threads would wait for each other: one has to give free what it holds, and start again."""


def hold(number: Number, thread: Thread) -> None:
    """Hold a variable from now on; wait for it if need be."""
    while holders.setdefault(number, thread) != thread:
        _wait(number, thread)


def hold_all(numbers: Sequence[Number], thread: Thread) -> None:
    """Hold all of these variables from now on.

    While it waits, a thread holds none of them, so nobody waits for it.
    """
    while True:
        for number in numbers:
            if holders.setdefault(number, thread) != thread:
                free(numbers, thread)
                _wait(number, thread)
                break
        else:
            return


def hold_for(number: Number, thread: Thread, run: Callable[[Unpack[Ts]], R], *args: *Ts) -> R:
    """Call a function while the thread holds a variable; return its result."""
    if holders.get(number) == thread:  # in a larger step, or where Python runs as an object dies
        return run(*args)
    try:
        try:
            if holders.setdefault(number, thread) != thread:
                hold(number, thread)
            return run(*args)
        finally:
            if holders.get(number) == thread:
                del holders[number]
            if waiting:
                wake()
    finally:
        free((number,), thread)


def free(numbers: Iterable[Number], thread: Thread) -> None:
    """Hold these variables no more."""
    for number in numbers:
        if holders.get(number) == thread:
            del holders[number]
    if waiting:
        wake()


def wake() -> None:
    """Let those look again who wait for what nobody holds."""
    for number, queue in [*waiting.values()]:
        if number not in holders:
            queue.put(None)


def _wait(number: Number, thread: Thread) -> None:
    """Wait until nobody holds a variable. Raises ``Conflict`` if that would never be."""
    queue: SimpleQueue[None] = SimpleQueue()
    try:
        waiting[thread] = number, queue
        while number in holders:
            if _is_awaited_by_holder(number, thread):
                raise Conflict
            queue.get()
    finally:
        waiting.pop(thread, None)


def _is_awaited_by_holder(number: Number, thread: Thread) -> bool:
    """Whether the holder of this variable waits, over others or not, for what the thread holds."""
    met = set()
    holder = holders.get(number)
    while holder in waiting and holder not in met:
        met.add(holder)
        awaited = waiting.get(holder)
        holder = None if awaited is None else holders.get(awaited[0])
        if holder == thread:
            return True
    return False
