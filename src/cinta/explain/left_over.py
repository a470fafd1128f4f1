"""Results that stay: infinities and NaN that a program computed, and that no op took."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .ledger import Event

_COMPUTED = frozenset(("op", "part", "gradient"))


def left_over(events: Iterable[Event]) -> Iterator[Event]:
    """The last results of a program that are not finite, one for each place, in their order.

    A result that an op took is not among them: a mask of infinities is meant, and whether what was
    made of it is finite shows later. A variable takes the value that it is given when it is read.
    """
    ends: dict[object, Event] = {}
    taken: set[int] = set()
    for event in reversed(list(events)):
        is_taken = event.seq in taken
        if is_taken or event.kind in _COMPUTED:
            taken.update(parent.seq for parent in event.parents)
        if not is_taken and event.fault and event.kind != "outside":
            ends[event.place] = event
    return reversed(ends.values())
