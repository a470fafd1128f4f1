"""Blocks of ``with`` that recorders of functions can tell from others.

The method that leaves a block stands on Python's stack, at which nobody can look. So a manager of
the library says when a ``with`` enters it and leaves it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Generic, TypeVar

from .recorders import observers

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import TracebackType

T = TypeVar("T")


def entered(manager: object) -> None:
    """A ``with`` enters this manager, whose ``__enter__`` calls this."""
    for observer in observers():
        observer.tape_listener.enters(manager, sys._getframe(2))


def left(manager: object) -> None:
    """It is left."""
    for observer in observers():
        observer.tape_listener.leaves(manager)


class FollowedBlock(Generic[T]):
    """A block of another manager, whose ``__exit__`` depends on these ``parts`` alone."""

    def __init__(self, manager: AbstractContextManager[T], *parts: object) -> None:
        self._manager, self._parts = manager, parts

    def __enter__(self) -> T:
        entered(self)
        return self._manager.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        left(self)
        return self._manager.__exit__(kind, value, traceback)
