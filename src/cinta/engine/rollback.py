"""Journal: what variables were before they were changed, so that a call can leave no trace.

A thread that has a journal notes in it each variable that it changes for the first time.
"""

from __future__ import annotations

from _thread import get_ident
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .away import Held
    from .variable_storage import Place

Journal: TypeAlias = "dict[int, tuple[Place, Any]]"

_journals: dict[int, Journal] = {}


def note(place: Place) -> None:
    """A place is about to be changed on this thread."""
    journal = _journals.get(get_ident())
    if journal is not None and place._number not in journal:
        journal[place._number] = place, place._held()


def assign(places: Sequence[Place], values: Sequence[Held]) -> None:
    """Give places new values."""
    for place, value in zip(places, values, strict=True):
        note(place)
        place._hold(value)


@contextmanager
def all_or_nothing() -> Iterator[None]:
    """If the block raises, variables are again what they were before."""
    with noting() as journal:
        try:
            yield
        except BaseException:
            _undo(journal)
            raise


@contextmanager
def nothing() -> Iterator[None]:
    """After the block variables are again what they were before."""
    with noting() as journal:
        try:
            yield
        finally:
            _undo(journal)


@contextmanager
def noting() -> Iterator[Journal]:
    """Note in the block which variables are changed, and what they were."""
    thread = get_ident()
    outer, journal = _journals.get(thread), dict[int, "tuple[Place, Any]"]()
    _journals[thread] = journal
    try:
        yield journal
    finally:
        if outer is None:
            del _journals[thread]
        else:
            _journals[thread] = outer
            for number, noted in journal.items():
                outer.setdefault(number, noted)  # what was noted first, counts


def _undo(journal: Journal) -> None:
    for place, held in journal.values():
        place._hold(held)
    journal.clear()
