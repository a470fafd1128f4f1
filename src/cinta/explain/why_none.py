"""Why a gradient is None: the way that a value went, against the way that a tape has."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.variable import Variable
from .events import ancestors, shortest_way
from .function_names import calls_numpy
from .lines import last_line_of, line_at
from .program_names import name_of, numbers_of_variables, rebinds
from .python_values import PythonValue, is_stored_in_an_array

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from ..engine.tensor import Tensor
    from ..user_frames import CodePlace
    from .events import Event
    from .ledger import Ledger
    from .lines import Line
    from .tape_history import TapeHistory


_CASTS = "Cast", "Convert"
_OF_PYTHON = "PyFunc", "EagerPyFunc"


class Reason(NamedTuple):
    """Why: a cause of the closed list, the line where the way ends, and the way up to it."""

    cause: str
    line: Line | None
    way: Sequence[Event] = ()
    certain: bool = True
    cut: Event | None = None
    """The event at which the way ends."""


class Question(NamedTuple):
    """Which gradient was None: of these targets by this source, and where it was asked for."""

    history: TapeHistory
    targets: Sequence[Event]
    source: Tensor | Variable
    asked: CodePlace
    frame: FrameType | None = None


def why_none(ledger: Ledger, question: Question) -> Reason:
    """Why a gradient is None."""
    return _Search(ledger, question).reason()


def is_connected(ledger: Ledger, question: Question) -> bool:
    """Whether the tape has a way from the source to a target, so that the gradient is not None."""
    return _Search(ledger, question).is_connected()


class _Search:
    """The search for the answer to one question."""

    def __init__(self, ledger: Ledger, question: Question) -> None:
        self.ledger, self.history = ledger, question.history
        self.source, self.targets, self.asked = question.source, question.targets, question.asked
        self.frame = question.frame
        self.is_variable = isinstance(self.source, Variable)
        self.start = self._start()
        self.led = ancestors(self.targets)
        self.until = max((t.seq for t in self.targets), default=ledger.count)
        values = ledger.values.get(self.source._number, ()) if self.is_variable else ()
        self.values: Sequence[Event] = values or (self.start,)

    def _start(self) -> Event:
        if isinstance(self.source, Variable):
            self.ledger.value_of(self.source)
            return self.ledger.values[self.source._number][0]
        found: Any = self.ledger.of(self.source._array)
        return found  # type: ignore[no-any-return]

    def is_connected(self) -> bool:
        """Whether the tape has a way, step by step."""
        reached = [value for value in self.values if value.seq in self.led]
        if not self.source.dtype.is_floating and not self.source.dtype.is_complex:
            return False
        if not reached or self._unheard(reached) is not None:
            return False
        starts = {value.seq for value in reached}
        waiting, met = list(self.targets), {t.seq for t in self.targets}
        while waiting:
            event = waiting.pop()
            if event.seq in starts:
                return True
            if self._certain_cause(event) is not None or event.kind == "variable":
                continue
            fresh = [p for p in event.parents if p.seq not in met]
            met.update(p.seq for p in fresh)
            waiting.extend(fresh)
        return False

    def reason(self) -> Reason:
        """The first cause that applies."""
        if not self.source.dtype.is_floating and not self.source.dtype.is_complex:
            return self._at("integer-dtype", self._made_or_used())
        reached = [value for value in self.values if value.seq in self.led]
        if reached:
            return self._unheard(reached) or self._cut(reached)
        return self._by_python() or self._beside()

    # -- the target was computed from the source -------------------------------------------------

    def _unheard(self, reached: Sequence[Event]) -> Reason | None:
        """The tape did not know of the source, or came to know of it too late."""
        watched = self.history.watched.get(self.history.key(self.source))
        if isinstance(self.source, Variable):
            if watched is not None:
                return None
            if not self.source.trainable:
                return self._at("not-trainable", self.start)
            if not self.history.watches_variables:
                return self._at("not-watched", self._first_use(reached[-1]))
            return None
        if self.history.number in self.start.tapes:
            return None
        first = self._first_use(self.start)
        if watched is None:
            return self._unwatched(first)
        if first is not None and first.seq < watched.seq:
            return Reason("watched-too-late", watched.line)
        return None

    def _unwatched(self, first: Event | None) -> Reason:
        if self._has_replaced_a_variable():
            return self._at("replaced-by-tensor", self.start)
        return self._at("not-watched", first)

    def _has_replaced_a_variable(self) -> bool:
        """Whether the source was made of a variable, before the block, and has taken its name."""
        made_of = {value.detail for value in _values_behind(self.start)}
        if self.start.seq >= self.history.begin or not made_of:
            return False
        if made_of - numbers_of_variables(self.frame):
            return True
        name = name_of(self.source, self.frame).rpartition(".")[2]
        return rebinds(self.start.place, name)

    def _cut(self, reached: Sequence[Event]) -> Reason:
        """The first step that the tape does not have, or that lets no gradient through."""
        ways = [shortest_way(r, t, self.led) for r in reached for t in self.targets]
        found = [way for way in ways if way]
        reason = self._blame(sorted(found, key=len))
        return reason or self._at("no-path", max(self.targets, key=lambda e: e.seq))

    def _blame(self, ways: Sequence[Sequence[Event]]) -> Reason | None:
        """The first step on a way that lets nothing through, best one about which that is certain.

        The gradient functions that people write may return None, but only their call shows that.
        """
        for cause_of in (self._certain_cause, self._likely_cause):
            for way in ways:
                for before, event in itertools.pairwise(way):
                    cause = cause_of(event)
                    if cause is not None:
                        line = self._line_of(cause, before, event) or line_at(self.asked)
                        return Reason(cause, line, way, cut=event)
        return None

    def _line_of(self, cause: str, before: Event, event: Event) -> Line | None:
        """The line to blame for a cause that a step has."""
        found = None
        if cause == "state-boundary":
            found = self._line_of_look(before)
        elif cause == "custom-gradient-none":
            found = _line_of_gradient(event)
        elif cause == "tape-reset":
            found = self.history.reset_after(event.seq)
        return found or event.line

    def _line_of_look(self, event: Event) -> Line | None:
        """Where a value was handed over that came back as a part of the same array."""
        looks = (
            e for e in self.ledger.after(event.seq) if e.kind == "looked" and event in e.inputs
        )
        return next((look.line for look in looks), None)

    def _likely_cause(self, event: Event) -> str | None:
        """Why perhaps no gradient passes through this step."""
        if event.kind != "op":
            return None
        assert event.op is not None
        if event.op.has_user_rule:
            return "custom-gradient-none"
        return None if self.history.number in event.tapes else "state-boundary"

    def _certain_cause(self, event: Event) -> str | None:
        """Why no gradient passes through this step, if none does."""
        if event.kind == "part":
            return None if event.can_have_gradient() else "nondifferentiable-op"
        if event.kind == "gradient":  # of no op, so it is a constant, or no tape was on
            return self._cause_of_silence(event) or "no-path"
        if event.kind != "op":
            return {"assigned": "assigned-state", "passed": "state-boundary"}.get(event.kind)
        if event.name == "StopGradient":
            return "stop-gradient"
        if event.name == "PyFunc":
            return "left-to-numpy"
        if self.history.number not in event.tapes:
            return self._cause_of_silence(event)
        if self.history.reset_after(event.seq) is not None:
            return "tape-reset"
        if not event.can_have_gradient():
            return "integer-dtype" if event.name in _CASTS else "nondifferentiable-op"
        assert event.op is not None
        return "nondifferentiable-op" if event.op.differentiable is False else None

    def _cause_of_silence(self, event: Event) -> str | None:
        """Why the tape has not recorded a step."""
        if not self.history.was_on(event.seq):
            return "stopped-recording" if self.history.was_begun(event.seq) else "outside-tape"
        if self.history.reset_after(event.seq) is not None:
            return "tape-reset"
        if not event.can_have_gradient():
            return "integer-dtype" if event.name in _CASTS else "nondifferentiable-op"
        if event.op is not None and event.op.differentiable is False:
            return "nondifferentiable-op"
        if self.history.thread not in (event.thread, 0) and event.kind == "op":
            return "outside-tape"
        return None

    # -- the target was not computed from the source ----------------------------------------------

    def _by_python(self) -> Reason | None:
        """A value below the source was looked at, and came back as a constant."""
        below = {value.seq for value in self.values}
        looks: list[Event] = []
        for event in self.ledger.after(min(below)):
            if event.seq > self.until:
                break
            if any(parent.seq in below for parent in event.parents):
                below.add(event.seq)
                if event.kind == "looked":
                    looks.append(event)
        if not looks:
            return None
        led = [event for _, event in sorted(self.led.items())]
        same = [(look, event) for event in led for look in looks if _has_value_of(event, look)]
        if same:
            return self._at_look(same[-1][0], certain=True)
        for event in led:
            if not self._is_foreign(event) and not _is_computed_from(looks, event):
                continue
            since = self.history.begin
            before = [x for x in looks if since <= x.seq < event.seq and not x.detail.only_told]
            if before:
                return self._at_look(max(before, key=lambda x: x.seq), certain=False)
        return None

    def _is_foreign(self, event: Event) -> bool:
        """Whether an event takes a value that the program made of Python's values at run time."""
        if event.kind == "made":
            return not self._stands_in_code(event.detail, event)
        if event.name in _OF_PYTHON or any(parent.kind == "outside" for parent in event.parents):
            return True
        return not all(self._stands_in_code(PythonValue.of(x), event) for x in _numbers(event))

    def _stands_in_code(self, value: PythonValue, event: Event) -> bool:
        """Whether a value stands in the code of an event, elsewhere than as that of the source."""
        made, used = self.start.line, event.line
        if made is None or used is None or made.filename != used.filename:
            return value.stands_in(event.code)
        return value.stands_in(event.code, lambda line: line != made.lineno or line == used.lineno)

    def _at_look(self, look: Event, certain: bool) -> Reason:
        """The reason for a value that Python got here, if the tape has the way up to here."""
        led = ancestors([look])
        ways = [shortest_way(value, look, led) for value in self.values]
        earlier = self._blame([way[:-1] for way in ways if way])
        if earlier is not None:
            return earlier
        is_numpy = is_stored_in_an_array(look.place) or calls_numpy(look.line)
        return self._at("left-to-numpy" if is_numpy else look.detail.cause, look, certain)

    def _beside(self) -> Reason:
        """Nothing leads from the source to the target."""
        if not self.is_variable and self.start.inputs:
            above = ancestors([self.start])
            if self._has_replaced_a_variable():
                return self._at("replaced-by-tensor", self.start)
            if not self.led.keys().isdisjoint(above.keys()):
                return self._at("after-use", self.start)
        return self._at("no-path", max(self.targets, key=lambda e: e.seq))

    # -- lines -------------------------------------------------------------------------------------

    def _at(self, cause: str, event: Event | None, certain: bool = True) -> Reason:
        line = None if event is None else event.line
        return Reason(cause, line or line_at(self.asked), certain=certain, cut=event)

    def _made_or_used(self) -> Event | None:
        return self.start if self.start.line else self._first_use(self.start)

    def _first_use(self, start: Event) -> Event | None:
        """The first step to the target that takes a value, best one in the block of the tape."""
        uses = [e for e in self.ledger.after(start.seq) if start in e.inputs]
        led = [e for e in uses if e.seq in self.led] or uses
        inside = [e for e in led if e.seq >= self.history.begin and e.code is not None]
        return next(iter(inside or led), None)


def _values_behind(start: Event) -> list[Event]:
    """The values of variables that a value was computed from."""
    found, waiting, met = [], [start], {start.seq}
    while waiting:
        event = waiting.pop()
        if event is not start and event.kind in ("variable", "assigned"):
            found.append(event)
            continue
        fresh = [parent for parent in event.parents if parent.seq not in met]
        met.update(parent.seq for parent in fresh)
        waiting.extend(fresh)
    return found


def _numbers(event: Event) -> list[float]:
    """The numbers of Python's that an op was given."""
    if event.kind != "op":
        return []
    index = event.detail.get("index", ()) if event.name == "StridedSlice" else ()
    return [x for x in (*event.inputs, *index) if type(x) in (int, float, complex)]


def _has_value_of(event: Event, look: Event) -> bool:
    """Whether an input of an event is the value that a look found."""
    if event.seq < look.seq:
        return False
    is_data = event.kind in ("made", "outside")
    given = [event.detail] if is_data else [PythonValue.of(x) for x in _numbers(event)]
    same = [value for value in given if value.print == look.detail.value.print]
    if event.line is None:
        return not all(value.stands_in(event.code) for value in same)
    own = event.line.lineno
    return not all(value.stands_in(event.code, own.__eq__) for value in same)


def _is_computed_from(looks: Sequence[Event], event: Event) -> bool:
    """Whether an event takes a NumPy scalar where a value was looked at: that is a result of it."""
    line = event.line
    if event.kind != "made" or not event.detail.is_computed or line is None:
        return False
    return any(look.line is not None and look.line.is_same(line) for look in looks)


def _line_of_gradient(event: Event) -> Line | None:
    """The line on which a custom gradient function returns."""
    backward = (event.detail or {}).get("backward")
    function = getattr(backward, "function", backward)
    code = getattr(function, "__code__", None)
    return None if code is None else last_line_of(code)
