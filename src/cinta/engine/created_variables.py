"""The variables that are made in a block, for functions that restrict which may be made."""

from __future__ import annotations

import weakref
from _thread import get_ident
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .variable import Variable

CreatedVariables: TypeAlias = "list[weakref.ref[Variable]]"

_created: dict[int, CreatedVariables] = {}


def note_created(variable: Variable) -> None:
    """A variable has been made on this thread."""
    created = _created.get(get_ident())
    if created is not None:
        created.append(weakref.ref(variable))


@contextmanager
def noting_created() -> Iterator[CreatedVariables]:
    """Note the variables that are made in the block, without keeping them alive."""
    thread, created = get_ident(), list["weakref.ref[Variable]"]()
    outer = _created.get(thread)
    _created[thread] = created
    try:
        yield created
    finally:
        if outer is None:
            del _created[thread]
        else:
            _created[thread] = outer
            outer += created


@contextmanager
def hiding_created() -> Iterator[None]:
    """Hide the variables that are made in the block from the blocks around it."""
    with noting_created() as created:
        yield
        created.clear()
