"""Which variables are made on a thread while somebody wants to know."""

from __future__ import annotations

import weakref
from _thread import get_ident
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .variable import Variable

Born: TypeAlias = "list[weakref.ref[Variable]]"

_born: dict[int, Born] = {}


def note_birth(variable: Variable) -> None:
    """A variable has been made on this thread."""
    born = _born.get(get_ident())
    if born is not None:
        born.append(weakref.ref(variable))


@contextmanager
def noting_births() -> Iterator[Born]:
    """Note the variables that are made in the block, without keeping them alive."""
    thread, born = get_ident(), list["weakref.ref[Variable]"]()
    outer = _born.get(thread)
    _born[thread] = born
    try:
        yield born
    finally:
        if outer is None:
            del _born[thread]
        else:
            _born[thread] = outer
            outer += born


@contextmanager
def unnoted_births() -> Iterator[None]:
    """Let nobody know in the block which variables are made."""
    with noting_births() as born:
        yield
        born.clear()
