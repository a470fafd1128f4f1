"""Ledger: what happened to values, tracked by a tape or not, and on which line.

An event is a call of an op, or anything else by which a value comes to be or is looked at. Events
know each other by the identity of arrays: an array that went into an op is the one that came out
of another. So the ways of values are known that no tape has seen.
"""

from __future__ import annotations

import functools
import weakref
from _thread import get_ident
from itertools import count
from math import isfinite, nan
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.variable import Variable
from .lines import NOWHERE, here, line_at, user_frame
from .not_finite import fault_of, is_finite, of_data
from .python_values import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import CodeType

    from ..engine.op import Op
    from ..engine.tensor import Array, Tensor
    from .lines import CodePosition, Line
    from .why_none import Reason

_MOST_EVENTS = 100_000
"""How many events are held beside those since the oldest tape that lives began."""
_MOST_OF_TAPES = 1_000_000
"""How many events are held at all: some 300 MB."""


_INDEXED = frozenset(("StridedSlice",))
"""Ops that are given numbers of Python's as attributes."""

_FLOAT32, _FLOAT64 = np.float32, np.float64


class Layer(NamedTuple):
    """A layer or module at work: its identity, its name and its class, and where it was called."""

    number: int
    name: str
    kind: str
    place: CodePosition


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

    def __init__(
        self,
        kind: str,
        op: Op | None,
        inputs: Sequence[Event | float | None],
        code: CodeType | None,
        offset: int,
    ) -> None:
        self.kind = kind
        self.op = op
        self.inputs = inputs
        self.code = code
        self.offset = offset

    def __repr__(self) -> str:
        return f"<{self.name} {self.seq} at {self.line}>"

    @property
    def name(self) -> str:
        """The op's name, or what kind of event it is."""
        return self.kind if self.op is None else self.op.name

    @property
    def place(self) -> CodePosition:
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


class Part(Event):
    """One of several results of a call: it is recorded if the call is."""

    def __init__(self, call: Event, out: Array) -> None:
        super().__init__("part", call.op, (call,), call.code, call.offset)
        self.call = call
        self.out = kind_of(out.dtype, out.shape)

    @property
    def tapes(self) -> tuple[int, ...]:  # type: ignore[override]
        """The tapes that recorded the call."""
        return self.call.tapes


class _Ref(weakref.ref):  # type: ignore[type-arg]
    """A weak reference to an array that knows under which key it is entered."""

    __slots__ = ("key",)
    key: int


class Ledger:
    """The events so far, and which of them made which array."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.count = 0  # of events ever entered; the first one held has number `first`
        self.first = 0
        self.values: dict[int, list[Event]] = {}  # of each variable, by its number
        self.latest: dict[int, Event] = {}  # by thread
        self.layers: dict[int, tuple[Layer, ...]] = {}  # at work, by thread
        self.at: dict[int, Event] = {}  # by the identity of arrays
        self.begins: dict[int, int] = {}  # of the tapes that live, by their numbers
        self._refs: dict[int, _Ref] = {}
        self._number = count().__next__  # which gives no two threads the same

    # -- entering ------------------------------------------------------------------------------

    def add(
        self,
        kind: str,
        array: Array | np.generic | None = None,
        inputs: Sequence[Any] = (),
        place: CodePosition | None = None,
        detail: object = None,
    ) -> Event:
        """Enter an event other than a call of an op; it made the array, if one is given."""
        code, offset = here(3) if place is None else place
        event = Event(kind, None, inputs, code, offset)
        event.detail = detail
        self._enter(event)
        if array is not None:
            event.out = kind_of(array.dtype, array.shape)
            self.name(array, event)
        return event

    def _enter(self, event: Event) -> None:
        event.seq = number = self._number()
        self.events.append(event)
        self.count = number + 1
        if len(self.events) > _MOST_EVENTS:
            self._forget()

    def name(self, array: Array | np.generic, event: Event) -> None:
        """From now on this array is what the event made."""
        key = id(array)
        self.at[key] = event
        if type(array) is np.ndarray:
            ref = _Ref(array, self._gone)
            ref.key = key
            self._refs[key] = ref
        else:  # a scalar has no weak references, and is small
            event.out = array

    def _gone(self, ref: _Ref) -> None:
        if self._refs.get(ref.key) is ref:
            del self._refs[ref.key]
            self.at.pop(ref.key, None)

    def of(self, array: Any) -> Event | float | None:
        """The event that made an array; one from outside is met here for the first time."""
        found = self.at.get(id(array))
        if found is not None:
            return found
        if isinstance(array, (np.ndarray, np.generic)):
            whole = self.of_whole(array)
            if whole is not None:
                return self.add("passed", array, (whole,), NOWHERE)
            return self.outside(array)
        return array if type(array) in (int, float, complex) else None

    def outside(self, array: Array | np.generic) -> Event:
        """Enter a value that came from outside of the program's sight."""
        event = self.add("outside", array, (), NOWHERE, Value.of(array))
        event.fault = of_data(array)
        return event

    def of_whole(self, array: Array | np.generic) -> Event | None:
        """The event of the array that this one is a part of: it left the program's sight."""
        base = array.base
        return self.at.get(id(base)) if isinstance(base, np.ndarray) else None

    def noted(self, op: Op, run: Callable[..., Any]) -> Callable[..., Any]:
        """The kernel of an op that enters each call."""
        at, latest, of, layers = self.at, self.latest, self.of, self.layers
        keeps_attrs = op.has_user_rule or op.name in _INDEXED

        def noted_kernel(*arrays: object, **attrs: object) -> object:
            begin = perf_counter()
            out = run(*arrays, **attrs)
            seconds = perf_counter() - begin
            frame = user_frame(2)
            inputs = [at.get(id(a)) or of(a) for a in arrays]
            code, offset = (None, 0) if frame is None else (frame.f_code, frame.f_lasti)
            event = Event("op", op, inputs, code, offset)
            event.begin, event.seconds = begin, seconds
            event.thread = thread = get_ident()
            if layers:
                event.layers = layers.get(thread, ())
            if keeps_attrs:
                event.detail = attrs
            kind = type(out)
            if kind is _FLOAT32 or kind is _FLOAT64:  # in line, what `_result` does for all
                if id(out) in at:
                    out = out.copy()
                at[id(out)] = event
                event.out = out
                if not isfinite(out):
                    event.fault = fault_of(op, arrays, out)
            elif kind is not tuple:
                out = self._result(event, op, arrays, out)
            self._enter(event)
            latest[thread] = event
            return self._parts(event, op, arrays, out) if kind is tuple else out

        return noted_kernel

    def _parts(
        self, call: Event, op: Op, arrays: Sequence[object], out: tuple[Array, ...]
    ) -> tuple[Array, ...]:
        """The results of a call that has several, each with an event of its own."""
        parts = [Part(call, each) for each in out]
        for part in parts:
            self._enter(part)
        pairs = zip(parts, out, strict=True)
        return tuple([self._result(part, op, arrays, each) for part, each in pairs])

    def _result(self, event: Event, op: Op, arrays: Sequence[object], out: Array) -> Array:
        """A result of an op, as an array of its own that is known to come from the event."""
        if isinstance(out, np.bool_):
            out = np.asarray(out)  # there are only two of these scalars: all would be one value
        elif id(out) in self.at or any([out is a for a in arrays]):
            out = own(out)
        if event.out is None:
            event.out = kind_of(out.dtype, out.shape)
        self.name(out, event)
        if event.fault is None and not is_finite(out):
            event.fault = fault_of(op, arrays, out)
        return out

    # -- variables -----------------------------------------------------------------------------

    def event_of(self, value: Tensor | Variable) -> Event:
        """The event of a tensor, or of a variable's present value."""
        if isinstance(value, Variable):
            return self.value_of(value)
        found: Any = self.of(value._array)
        return found  # type: ignore[no-any-return]

    def value_of(self, variable: Variable) -> Event:
        """The event of a variable's present value, which has an array of its own."""
        array = variable._array
        event = self.at.get(id(array))
        if event is not None and event.kind == "outside":  # read where the ledger does not look
            event.kind, event.detail = "variable", variable._number
            self.values.setdefault(variable._number, []).append(event)
        if event is None or event.detail != variable._number:
            event = self.changed(variable, "variable", (), NOWHERE)
        return event

    def changed(
        self,
        variable: Variable,
        kind: str,
        inputs: Sequence[Any],
        place: CodePosition | None = None,
    ) -> Event:
        """Enter that a variable has another value, and give it an array of its own."""
        variable._array = own(variable._array)
        return self.valued(variable, kind, inputs, here(3) if place is None else place)

    def valued(
        self, variable: Variable, kind: str, inputs: Sequence[Any], place: CodePosition
    ) -> Event:
        """Enter that a variable has the value of its array."""
        array = variable._array
        event = self.add(kind, array, inputs, place, variable._number)
        event.size = _size(array)
        if not inputs:
            event.fault = of_data(array)
        self.values.setdefault(variable._number, []).append(event)
        return event

    def alive(self) -> list[tuple[Array, Event]]:
        """The arrays that are alive, and the events that made them."""
        known = [(ref(), self.at.get(key)) for key, ref in list(self._refs.items())]
        return [(array, event) for array, event in known if array is not None and event is not None]

    # -- looking back --------------------------------------------------------------------------

    def after(self, seq: int) -> list[Event]:
        """The events behind the one of this number."""
        return self.events[max(seq + 1 - self.first, 0) :]

    def _forget(self) -> None:
        """Let go of old events, and of where they come from."""
        oldest = min(self.begins.values(), default=self.count)
        keep = self.count - _MOST_EVENTS // 2
        if len(self.events) <= _MOST_OF_TAPES:
            keep = min(keep, oldest)
        gone, self.events = self.events[: keep - self.first], self.events[keep - self.first :]
        for event in gone:
            event.inputs = ()
            if self.at.get(id(event.out)) is event:  # a scalar
                del self.at[id(event.out)]
        self.first += len(gone)
        for number, values in list(self.values.items()):
            self.values[number] = [e for e in values[:-1] if e.seq >= self.first] + values[-1:]


def own(array: Array) -> Array:
    """The same value in a new array or scalar object."""
    return array.view() if isinstance(array, np.ndarray) else array.copy()


def _size(array: Array) -> float:
    """The largest magnitude among real numbers; NaN where there are none."""
    if array.dtype.kind != "f" or not array.size:
        return nan
    return float(np.maximum(array.max(), -array.min()))


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
