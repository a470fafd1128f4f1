"""The listeners of each thread: objects that are told when a variable is read or an op runs."""

from __future__ import annotations

from _thread import get_ident
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from .holding import hold_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .away import Held
    from .variable import Variable


class Listener(Protocol):
    """An object that is told when a variable is read on its thread."""

    def hears(self, variable: Variable, value: Held) -> bool:
        """Note that this value is read; answer whether the read is to be tracked."""


_listening: dict[int, tuple[Listener, ...]] = {}
is_heard: Callable[[int], bool] = _listening.__contains__
"""Whether there is a listener on the thread of this number."""


def listeners() -> tuple[Listener, ...]:
    """The listeners of this thread, in the order in which they started."""
    return _listening.get(get_ident(), ())


def add(listener: Listener, thread: int) -> None:
    """Let the listener listen on this thread from now on."""
    hold_for(-thread, get_ident(), _add, listener, thread)


def _add(listener: Listener, thread: int) -> None:
    others = _listening.get(thread)
    _listening[thread] = (*others, listener) if others else (listener,)


def remove(listener: Listener, thread: int) -> None:
    """Let it listen no more."""
    hold_for(-thread, get_ident(), _remove, listener, thread)


def _remove(listener: Listener, thread: int) -> None:
    rest = [x for x in _listening.get(thread, ()) if x is not listener]
    if rest:
        _listening[thread] = tuple(rest)
    else:
        _listening.pop(thread, None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell the listener of every variable read on this thread in the block."""
    thread = get_ident()
    try:
        add(listener, thread)
        yield
    finally:
        remove(listener, thread)
