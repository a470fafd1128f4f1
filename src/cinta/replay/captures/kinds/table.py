"""The table of the kinds of things that are understood, and what the kinds share.

A *kind* is a function of a ``Reach`` and of something ``Found`` there: it says what to compare at
each call and what to reach next, and its docstring says why things of this kind are understood. A
kind enters itself with ``handles``, so a new one is written in one place.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..reach import Found, Reach

    Kind: TypeAlias = Callable[[Reach, Found], None]

KINDS: dict[type, Kind] = {}
"""The kind for objects of exactly this class."""

FAMILIES: dict[type, Kind] = {}
"""The kind for objects of all classes made from this one; the nearest one counts."""


NAMED: dict[str, Kind] = {}
"""The kind for objects of classes that are loaded by programs alone, by module and name."""


def handles(*types: type | str, subclasses: tuple[type, ...] = ()) -> Callable[[Kind], Kind]:
    """Enter a kind for objects of these classes, and of all ``subclasses`` of others.

    A class of a module that cinta does not need is named, as ``"uuid.UUID"``.
    """

    def enter(kind: Kind) -> Kind:
        for each in types:
            if isinstance(each, str):
                NAMED[each] = kind
            else:
                KINDS[each] = kind
        FAMILIES.update(dict.fromkeys(subclasses, kind))
        return kind

    return enter


def kind_of_class(kind: type) -> Kind | None:
    """The entry for objects of exactly this class, if there is one."""
    if kind in KINDS:
        return KINDS[kind]
    module, name = [type.__getattribute__(kind, x) for x in ("__module__", "__qualname__")]
    entry = NAMED.get(f"{module}.{name}")
    return entry if entry and vars(sys.modules[module]).get(name) is kind else None


def identity(reach: Reach, found: Found) -> bool:
    """Check that it is the same object; whether it is met for the first time."""
    if not found.kept:
        expected = reach.guards.weak(found.value)
        condition = f"{found.source} is {expected}"
        if expected.endswith("()"):
            condition += " is not None"
        reach.guards.check(found.label, condition, found.source, expected)
    return reach.first(found.value)


def kept_part(reach: Reach, found: Found, name: str) -> None:
    """Reach for a part that is there as long as the whole is."""
    part = getattr(found.value, name)
    if part is not None:
        reach.add(reach.found(part, found.label, reach.guards.weak(part), kept=True))
