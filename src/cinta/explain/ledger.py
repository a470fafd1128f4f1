"""Ledger: what happened to values, tracked by a tape or not, and which event made which array."""

from __future__ import annotations

import weakref
from _thread import get_ident
from itertools import count
from math import isfinite, nan
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.variable import Variable
from ..user_frames import NOWHERE, here, user_frame
from .events import Event, PartEvent, kind_of
from .not_finite import fault_of, is_finite, of_data
from .python_values import PythonValue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.op import Op
    from ..engine.tensor import Array, Tensor
    from ..user_frames import CodePlace
    from .events import Layer

_MOST_EVENTS = 100_000
"""How many events are held beside those since the oldest tape that lives began."""
_MOST_OF_TAPES = 1_000_000
"""How many events are held at all: some 300 MB."""


_INDEXED = frozenset(("StridedSlice",))
"""Ops that are given numbers of Python's as attributes."""

_FLOAT32, _FLOAT64 = np.float32, np.float64


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
        place: CodePlace | None = None,
        detail: object = None,
    ) -> Event:
        """Enter an event other than a call of an op; it made the array, if one is given."""
        code, offset = here(3) if place is None else place
        event = Event()
        event.kind, event.inputs, event.code, event.offset = kind, inputs, code, offset
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
        if type(array) is float:
            return array
        found = self.at.get(id(array))
        if found is not None:
            return found
        if isinstance(array, (np.ndarray, np.generic)):
            whole = self.of_whole(array)
            if whole is not None:
                return self.add("passed", array, (whole,), NOWHERE)
            return self.outside(array)
        return array if type(array) in (int, float, complex) else None

    def outside(self, array: Array | np.generic, place: CodePlace = NOWHERE) -> Event:
        """Enter a value that came from outside of the program's sight."""
        event = self.add("outside", array, (), place, PythonValue.of(array))
        event.fault = of_data(array)
        return event

    def came(self, array: Array | np.generic) -> None:
        """Enter a value that no op made, if it is unknown, as one from outside with its line."""
        if id(array) not in self.at and self.of_whole(array) is None:
            self.outside(array, here(3))

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
            event = Event()
            event.op, event.begin, event.seconds = op, begin, seconds
            inputs: list[Any] = []
            for a in arrays:
                inputs.append(at.get(id(a)) or of(a))  # noqa: PERF401 # a comprehension is a frame
            event.inputs = inputs
            frame = user_frame(2)
            if frame is not None:
                event.code, event.offset = frame.f_code, frame.f_lasti
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
        parts = [PartEvent(call, each) for each in out]
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
        place: CodePlace | None = None,
    ) -> Event:
        """Enter that a variable has another value, and give it an array of its own."""
        variable._array = own(variable._array)
        return self.valued(variable, kind, inputs, here(3) if place is None else place)

    def valued(
        self, variable: Variable, kind: str, inputs: Sequence[Any], place: CodePlace
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
