"""Events: calls of ops, and all else by which a value comes to be or is looked at.

Events know each other by the identity of arrays: an array that went into an op is the one that came
out of another. So the ways of values are known that no tape has seen.
"""

from __future__ import annotations

import functools
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from .lines import line_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import CodeType

    import numpy as np

    from ..engine.op import Op
    from ..engine.tensor import Array
    from ..user_frames import CodePlace
    from .lines import Line
    from .why_none import Reason


class Layer(NamedTuple):
    """A layer or module at work: its identity, its name and its class, and where it was called."""

    number: int
    name: str
    kind: str
    place: CodePlace


class Kind(NamedTuple):
    """The dtype and the shape of a result."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]


kind_of = functools.lru_cache(maxsize=4096)(Kind)
"""The kind of a result; equal ones are one object, so that there is less for Python to collect."""


class Event:
    """Something that happened to values.

    ``kind`` is "op", "part" (one of several results of an op), "made" (of Python's values),
    "variable" (its first value), "assigned", "looked", "passed" (out of the program's sight),
    "gradient" or "outside" (made earlier). ``inputs`` are events; what no event made is a number
    of Python's, or None. ``tapes`` has the numbers of the tapes that recorded the call, ``thread``
    the thread of a call, ``fault`` the cause if the result is not finite though the inputs are,
    and ``detail`` what else the kind knows.
    """

    # One event is made for every op, so it must be cheap: there is no `__init__`, and these
    # attributes, which cost nothing while they are left alone, are those of a call without inputs.
    kind = "op"
    op: Op | None = None
    inputs: Sequence[Event | float | None] = ()
    code: CodeType | None = None
    offset = 0
    fault: str | None = None
    detail: Any = None
    out: Kind | Array | np.generic | None = None
    """The result if it is a scalar, else its kind."""
    begin = 0.0  # when it began, on the clock of `perf_counter`
    seconds = 0.0
    reason: Reason | None = None
    """Why it is not finite, if it belongs to a gradient that is explained."""
    layers: tuple[Layer, ...] = ()  # in which it ran, the outermost first
    size = nan  # the largest magnitude, of the value of a variable
    seq = -1  # its number in the ledger
    tapes: tuple[int, ...] = ()
    thread = 0

    def __repr__(self) -> str:
        return f"<{self.name} {self.seq} at {self.line}>"

    @property
    def name(self) -> str:
        """The op's name, or what kind of event it is."""
        return self.kind if self.op is None else self.op.name

    @property
    def place(self) -> CodePlace:
        """Where it happened."""
        return self.code, self.offset

    @property
    def line(self) -> Line | None:
        """The line where it happened."""
        return line_at(self.place)

    @property
    def parents(self) -> Iterable[Event]:
        """The events that its inputs come from."""
        return (x for x in self.inputs if isinstance(x, Event))

    def can_have_gradient(self) -> bool:
        """Whether its result is of a dtype that gradients have."""
        return self.out is None or self.out.dtype.kind in "fcV"


class PartEvent(Event):
    """One of several results of a call: it is recorded if the call is."""

    kind = "part"

    def __init__(self, call: Event, out: Array) -> None:
        self.call = call
        self.op, self.inputs, self.code, self.offset = call.op, (call,), call.code, call.offset
        self.out = kind_of(out.dtype, out.shape)

    @property
    def tapes(self) -> tuple[int, ...]:  # type: ignore[override]
        """The tapes that recorded the call."""
        return self.call.tapes


def ancestors(events: Iterable[Event]) -> dict[int, Event]:
    """All that went into these events, and they themselves."""
    found = {event.seq: event for event in events}
    waiting = list(found.values())
    while waiting:
        for parent in waiting.pop().parents:
            if parent.seq not in found:
                found[parent.seq] = parent
                waiting.append(parent)
    return found


def shortest_way(source: Event, target: Event, among: dict[int, Event]) -> list[Event] | None:
    """The shortest way from one event to another, through events that led to the target."""
    towards: dict[int, Event | None] = {target.seq: None}
    waiting = [target]
    for event in waiting:
        if event is source:
            way: list[Event] = []
            step: Event | None = event
            while step is not None:
                way.append(step)
                step = towards[step.seq]
            return way
        for parent in event.parents:
            if parent.seq in among and parent.seq not in towards:
                towards[parent.seq] = event
                waiting.append(parent)
    return None
