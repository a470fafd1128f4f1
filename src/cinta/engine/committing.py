"""Give places new values, several of them in one step of the interpreter."""

from __future__ import annotations

from collections import deque
from itertools import chain, repeat
from typing import TYPE_CHECKING

from .away import Away

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .away import Held
    from .variable_storage import Place


def commit(places: Sequence[Place], values: Sequence[Held]) -> None:
    """Let places have these values, all of them in one step; the caller keeps the old ones.

    The interpreter switches threads and delivers interrupts only between its own instructions.
    Each call of ``any`` and of ``deque`` is a single one: these take all that the iterators give
    before they return, and what is called for it is written in C. An old value that dies might
    have a callback written in Python, therefore somebody is to keep it until all is done.
    """
    if Away not in map(type, values):
        any(map(object.__setattr__, places, repeat("_array"), values))  # all are None
        return
    names = ["_away" if type(value) is Away else "_array" for value in values]
    far = [vars(place) for place, name in zip(places, names, strict=True) if name == "_away"]
    assigning = map(object.__setattr__, places, names, values)
    removing = map(dict.pop, far, repeat("_array"), repeat(None))
    deque(chain(assigning, removing), maxlen=0)
