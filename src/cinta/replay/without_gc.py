"""Python's garbage collector switched off while many objects are made that stay."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_lock = RLock()  # a handler of signals may come into what holds it
_inside: set[object] = set()
"""The blocks, of all threads, in which it is off."""
_was_on = False


@contextmanager
def without_gc() -> Iterator[None]:
    """Let Python not look for cycles in the block, nor in those of other threads.

    It looks through all objects again whenever there are a quarter more of them. That takes a
    third of the time in which a recording of 500,000 steps is put in order and folded.
    """
    block = object()
    try:
        try:
            _enter(block)
            yield
        finally:
            _leave(block)
    finally:
        _leave(block)  # again, as an interrupt may have come into the first


def _enter(block: object) -> None:
    global _was_on
    with _lock:
        if not _inside:
            _was_on = gc.isenabled()
        _inside.add(block)
        gc.disable()


def _leave(block: object) -> None:
    with _lock:
        _inside.discard(block)
        if not _inside and _was_on:
            gc.enable()
