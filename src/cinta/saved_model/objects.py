"""The objects of a model: what each is made of, and which functions it has."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..checkpoints.collecting import Path
from ..checkpoints.trackable import (
    children,
    is_container,
    is_hollow,
    is_proxy,
    is_trackable,
    real,
)
from ..engine.variable import Variable
from ..programs.function import Function
from .asset import Asset
from .restored import LoadedModule
from .saved_functions import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator


class Objects:
    """All objects in reach of one, each at its place; the first is that one."""

    def __init__(self, root: object) -> None:
        self.found: list[tuple[Path, object]] = []
        self._places: dict[int, int] = {}
        self._attributes: dict[int, dict[str, Any]] = {}  # methods are made anew at each look
        waiting: deque[tuple[Path, object]] = deque([((), root)])
        self._add((), root)
        while waiting:
            path, thing = waiting.popleft()
            for name, child in self._children(thing):
                if id(child) not in self._places:
                    self._add((*path, name), child)
                    waiting.append(((*path, name), child))

    def _add(self, path: Path, thing: object) -> None:
        self._places[id(thing)] = len(self.found)
        if isinstance(thing, Asset):  # functions know its path alone
            self._places[id(thing._path)] = len(self.found)
        self.found.append((path, thing))

    def place_of(self, thing: object) -> int:
        """Where an object stands; ``KeyError`` if it is not in reach."""
        return self._places[id(real(thing))]

    def attributes(self, thing: object) -> dict[str, Any]:
        """The objects that this one has for attributes."""
        if id(thing) not in self._attributes:
            self._attributes[id(thing)] = _attributes(thing)
        return self._attributes[id(thing)]

    def follows(self, thing: object) -> bool:
        """Whether the object is in reach and has a place."""
        return id(real(thing)) in self._places

    def _children(self, thing: object) -> Iterator[tuple[str, object]]:
        """The objects that are directly in one, by names."""
        if isinstance(thing, (Variable, *FUNCTIONS)):
            return
        if isinstance(thing, Mapping):
            pairs: Iterable[tuple[str, object]] = [(str(key), each) for key, each in thing.items()]
        elif is_container(thing):
            pairs = [(str(i), value) for i, value in enumerate(thing)]
        else:
            pairs = self.attributes(thing).items()
        for name, child in pairs:
            if is_object(child):
                yield name, real(child)


def is_object(thing: object) -> bool:
    """Whether something is saved as an object, and not as a plain value or not at all."""
    if isinstance(thing, FUNCTIONS):
        return True
    if is_proxy(thing):
        return real(thing) is not None  # else it stands for a variable that there is not yet
    if is_container(thing):
        return not is_hollow(thing) or _has_function(thing)
    return is_trackable(thing)


def _has_function(container: Collection[object]) -> bool:
    """Whether there is a function in a list, tuple or dictionary, at any depth."""
    waiting: list[Collection[object]] = [container]
    seen = {id(container)}
    while waiting:
        inner = waiting.pop()
        for value in inner.values() if isinstance(inner, Mapping) else inner:
            if isinstance(value, FUNCTIONS):
                return True
            if is_container(value) and id(value) not in seen:
                seen.add(id(value))
                waiting.append(value)
    return False


def _attributes(thing: object) -> dict[str, Any]:
    """The objects that one has for attributes: those that checkpoints follow, and functions."""
    found = {name: child for name, child in children(thing).items() if is_object(child)}
    if isinstance(thing, LoadedModule):
        found.pop("signatures", None)  # which are saved on their own
    own = getattr(thing, "__dict__", {})
    found.update((name, value) for name, value in own.items() if isinstance(value, FUNCTIONS))
    for name in dir(type(thing)):
        if isinstance(inspect.getattr_static(type(thing), name, None), Function):
            found[name] = getattr(thing, name)
    return found
