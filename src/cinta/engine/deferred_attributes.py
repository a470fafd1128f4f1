"""Objects that report a new attribute for which a restored value is waiting."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Taker = Callable[[Any], object]

_expected: dict[int, dict[str, Taker]] = {}
"""The receivers of attributes that an object does not have yet, by the object's id and by name."""


class Expecting:
    """A base class whose attributes can be expected, as those that a checkpoint has values for."""

    def __setattr__(self, name: str, value: object) -> None:
        takers = _expected.get(id(self))
        if takers is not None and name in takers:
            value = _handed(takers, name, value)
        super().__setattr__(name, value)


def expect(owner: Expecting, takers: dict[str, Taker]) -> None:
    """Let these see what is assigned to the attributes of these names.

    A taker gets the value and returns what is to be assigned in its place, or None if it goes on
    waiting.
    """
    if id(owner) not in _expected:
        _expected[id(owner)] = {}
        weakref.finalize(owner, _expected.pop, id(owner))
    _expected[id(owner)].update(takers)


def _handed(takers: dict[str, Taker], name: str, value: object) -> object:
    taken = takers[name](value)
    if taken is None:
        return value
    del takers[name]
    return taken
