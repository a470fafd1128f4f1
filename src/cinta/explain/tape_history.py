"""The history of a tape, as the ledger's numbers tell it: when it was on, what it watched."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.variable import Variable
from .lines import line_at

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ..engine.tensor import Tensor
    from ..user_frames import CodePlace
    from .events import Event
    from .lines import Line

_next_number = itertools.count(1).__next__


class Moment(NamedTuple):
    """When and where something was done to a tape."""

    seq: int
    place: CodePlace

    @property
    def line(self) -> Line | None:
        """The line on which it was done."""
        return line_at(self.place)


@dataclass
class TapeHistory:
    """The history of a tape; moments are numbers of events."""

    watches_variables: bool = True
    thread: int = 0
    """The only thread on which it records, if it is but one."""
    number: int = field(default_factory=_next_number)
    spans: list[list[int | None]] = field(default_factory=list)
    watched: dict[Any, Moment] = field(default_factory=dict)
    resets: list[Moment] = field(default_factory=list)
    records: dict[int, Event] = field(default_factory=dict)
    """The event of each record, by the number of the record's result."""

    @property
    def begin(self) -> int:
        """When it began to record."""
        return self.spans[0][0] or 0 if self.spans else 0

    def was_on(self, seq: int) -> bool:
        """Whether it recorded then."""
        return any((start or 0) <= seq and (end is None or seq < end) for start, end in self.spans)

    def was_begun(self, seq: int) -> bool:
        """Whether that was after its start and before its last end."""
        last = self.spans[-1][1] if self.spans else 0
        return self.begin <= seq and (last is None or seq < last)

    def reset_after(self, seq: int) -> Line | None:
        """The line on which it was reset after that, if it was."""
        return next((reset.line for reset in self.resets if seq < reset.seq), None)

    @staticmethod
    def key(value: Tensor | Variable) -> Hashable:
        """The key of a watched value."""
        return value._number if isinstance(value, Variable) else id(value._array)
