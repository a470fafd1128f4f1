"""The values of several variables: changed in one step of the interpreter, and read."""

from __future__ import annotations

from collections import deque
from itertools import chain, compress, repeat
from typing import TYPE_CHECKING, Any

from .device_values import fetchers, is_on_device

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .device_values import Held
    from .variable_storage import VariableStorage


def commit(places: Sequence[VariableStorage], values: Sequence[Held]) -> None:
    """Let places have these values, all of them in one step; the caller keeps the old ones.

    The interpreter switches threads and delivers interrupts only between its own instructions.
    Each call of ``any`` and of ``deque`` is a single one: these take all that the iterators give
    before they return, and what is called for it is written in C. An old value that dies might
    have a callback written in Python, therefore somebody is to keep it until all is done.
    """
    kinds = {*map(type, values)}
    if fetchers.keys().isdisjoint(kinds):
        commit_arrays(places, values)
        return
    held = far = [*map(vars, places)]
    names: Iterable[str] = repeat("_unsettled")
    if not fetchers.keys() >= kinds:
        names = ["_unsettled" if is_on_device(value) else "_array" for value in values]
        far = [*compress(held, map(is_on_device, values))]
    assigning = map(dict.__setitem__, held, names, values)
    removing = map(dict.pop, far, repeat("_array"), repeat(None))
    deque(chain(assigning, removing), maxlen=0)


def commit_arrays(places: Sequence[VariableStorage], values: Sequence[Held]) -> None:
    """The same for values that are all on the host."""
    any(map(object.__setattr__, places, repeat("_array"), values))  # all are None


def values_of(places: Sequence[VariableStorage]) -> list[Held]:
    """The values of places, wherever they are; quickly if all are on a device."""
    held = [*map(vars, places)]
    if not any(map(dict.__contains__, held, repeat("_array"))):
        found: list[Any] = [*map(dict.get, held, repeat("_unsettled"))]
        if fetchers.keys() >= {*map(type, found)}:
            return found
    return [place._held() for place in places]
