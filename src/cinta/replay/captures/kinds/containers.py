"""Containers: their items are compared, in their order."""

from __future__ import annotations

import gc
import sys
import types
from collections import Counter, OrderedDict, defaultdict, deque
from typing import TYPE_CHECKING, Any

from ..guards import same
from .constants import PLAIN
from .table import handles

if TYPE_CHECKING:
    from ..reach import Found, Reach


MOST_ITEMS = 1000
"""How many items of a container are compared at each call; that takes some 20 microseconds."""


@handles(list, tuple)
def sequence(reach: Reach, found: Found) -> None:
    """It is its items, which are compared."""
    name = container(reach, found, len(found.value))
    if name is not None:
        items(reach, found, name, tuple(found.value))


def items(reach: Reach, found: Found, name: str, values: tuple[Any, ...]) -> None:
    """Compare items by their positions."""
    if all([type(x) in PLAIN for x in values]):
        _plain_items(reach, found, name, values)
        return
    for i, value in enumerate(values):
        reach.add_item(found, i, value, f"{found.label}[{i}]", f"{name}[{i}]")


def _plain_items(reach: Reach, found: Found, name: str, values: tuple[Any, ...]) -> None:
    """Compare items in their order: first whether they are the same objects, which is quick."""
    if values:
        was, all_same = reach.guards.bind(values), reach.guards.bind(_all_same)
        condition = f"all(map(is_, {name}, {was})) or {all_same}({name}, {was})"
        reach.guards.check(found.label, condition, name, was)


@handles(deque)
def queue(reach: Reach, found: Found) -> None:
    """It is its items and the room that it has for them."""
    sequence(reach, found)
    room, was = f"{found.source}.maxlen", repr(found.value.maxlen)
    reach.guards.check(found.label, f"{room} == {was}", room, was)


@handles(set, frozenset)
def elements(reach: Reach, found: Found) -> None:
    """It is its elements in the order in which they come."""
    name = container(reach, found, len(found.value))
    if name is not None:
        _plain_items(reach, found, name, tuple(found.value))
        for i, value in enumerate(found.value):
            if type(value) not in PLAIN:
                source = reach.guards.bind(value)
                reach.add(reach.found(value, f"{found.label}[{i}]", source, kept=True))


@handles(dict, OrderedDict, Counter, types.MappingProxyType)
def mapping(reach: Reach, found: Found) -> None:
    """It is its keys in their order, and their values."""
    value = found.value
    viewed = gc.get_referents(value)[:1] if type(value) is types.MappingProxyType else ()
    if any([type(each) not in (dict, OrderedDict) for each in viewed]):
        reach.refuse(f"{found.label} is a view of a mapping that may give anything")
        return
    if value is sys.modules:
        reach.refuse(f"{found.label} holds all modules of a program, and more at any time")
    name = container(reach, found, len(value))
    if name is None:
        return
    keys = tuple(value)
    _plain_items(reach, found, name, keys)
    for i, key in enumerate(keys):
        if type(key) not in PLAIN:
            source = reach.guards.bind(key)
            reach.add(reach.found(key, f"key {i} of {found.label}", source, kept=True))
    if keys and all([type(x) in PLAIN for x in value.values()]):
        values = reach.guards.let(f"{name}.values()")
        _plain_items(reach, found, values, tuple(value.values()))
        return
    for key in keys:
        text = repr(key) if type(key) in (str, int, bool) else reach.guards.bind(key)
        label = f"{found.label}[{_short(key)}]"
        reach.add_item(found, key, value[key], label, f"{name}[{text}]")


def _short(key: object) -> str:
    return repr(key) if type(key) in PLAIN else "…"


@handles(defaultdict)
def dictionary_with_default(reach: Reach, found: Found) -> None:
    """It is a dictionary, and what makes the values that are not there."""
    mapping(reach, found)
    factory = found.value.default_factory
    source = f"{found.source}.default_factory"
    reach.add(reach.found(factory, f"{found.label}.default_factory", source))


def container(reach: Reach, found: Found, length: int) -> str | None:
    """Check type and length; the name of the container in what follows, None if it was there."""
    guards, kind = reach.guards, type(found.value)
    reach.by_content.note(found)
    known = reach.containers.get((id(found.value), found.taken))
    if known is not None:
        guards.check(found.label, f"{found.source} is {known}", found.source, known)
        return None
    if length > MOST_ITEMS:
        reach.refuse(
            f"{found.label} is a {kind.__name__} of {length} items, too many to compare at each "
            "call. Make a tensor of it, or pass it as an argument"
        )
        return None
    reach.first(found.value)
    name = reach.containers[id(found.value), found.taken] = guards.let(found.source)
    condition = f"type({name}) is {guards.bind(kind)} and len({name}) == {length}"
    guards.check(found.label, condition, name, guards.bind(_Was(kind, length)))
    return name


class _Was:
    """A container as messages speak of it."""

    def __init__(self, kind: type, length: int) -> None:
        self._text = f"{kind.__name__} of {length} items"

    def __repr__(self) -> str:
        return self._text


def _all_same(now: Any, was: tuple[Any, ...]) -> bool:
    return len(now) == len(was) and all(map(_is_same, now, was))


def _is_same(now: object, was: object) -> bool:
    """Whether two items are equal; classes of programs may say so of items that are not."""
    return now is was or (type(was) in PLAIN and same(now, was))
