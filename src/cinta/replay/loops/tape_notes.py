"""Notes of what a function does with tapes, beside the steps that it takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.captured_arrays import ReadCapturedArray
from ...engine.listeners import TapeListener
from ...engine.primitives import Identity
from ...engine.tensor import Tensor, as_wrapped, wrap
from ...engine.variable import Variable
from ...ops.random.state import NextRandomState
from ..recording import Constant, Guard, Step
from .tape_steps import TapeGradient, TapeStarts, TapeStops, TapeWatches
from .way import Way

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from types import FrameType

    from ...engine.op import Op
    from ...engine.recorders import Recorder
    from ..recording import Recording, Ref
    from ..trace import Trace


class _Note(NamedTuple):
    """A step that stands for those from ``start`` to ``stop`` in a row, of which there may be none.

    Among its inputs, variables may stand by their own numbers in place of their values.
    """

    tape: int
    start: int
    stop: int
    step: Step


class TapeNotes(TapeListener):
    """Notes of all that a trace is told of tapes.

    Only tapes matter while which record Python looks at a value: a loop may be there.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._tapes: list[Recorder] = []
        self._matter: set[int] = set()
        self._notes: list[_Note] = []
        self._is_sweeping = False
        self._refused = False  # whether a tape does what cannot be told as such steps

    @property
    def matter(self) -> bool:
        """Whether a way with tapes as steps may be of use."""
        return bool(self._matter) and not self._refused

    # -- notices ---------------------------------------------------------------------------------

    def starts(self, tape: Recorder) -> None:
        if tape not in self._tapes:
            self._tapes.append(tape)
        self._note(TapeStarts, tape, (), watches=tape.watch_accessed)

    def stops(self, tape: Recorder) -> None:
        if tape in self._tapes:
            self._note(TapeStops, tape, ())
        else:
            self._refused = True  # it is from outside of the function

    def watches(self, tape: Recorder, value: Tensor | Variable) -> None:
        ref = value._number if isinstance(value, Variable) else self._trace.ref(value)
        if isinstance(ref, Constant) or tape not in self._tapes:
            self._refused = True
        else:
            self._note(TapeWatches, tape, (ref,))

    def is_read(self) -> None:
        self._refused = True

    def enters(self, manager: object, frame: FrameType) -> None:
        if self._trace.frames:
            self._trace.frames.entered(manager, frame)

    def leaves(self, manager: object) -> None:
        if self._trace.frames:
            self._trace.frames.left(manager)

    def looked(self, tapes: Sequence[Recorder]) -> None:
        """Python has looked at a value while these tapes record."""
        self._matter.update([i for i, tape in enumerate(self._tapes) if tape in tapes])

    def mark_of(self, tape: Recorder | None) -> Hashable:
        """A mark of a tape among those that the function uses."""
        return self._tapes.index(tape) if tape in self._tapes else None

    def sweep(
        self,
        tape: Recorder,
        seeds: Sequence[tuple[int, object]],
        sources: set[int],
        run: Callable[[], dict[int, object]],
    ) -> dict[int, object]:
        if self._is_sweeping or self.mark_of(tape) not in self._matter:
            return run()
        start, keep = self._trace.noted, bool(tape.records)
        arriving = [self._ref(g) for _, g in seeds]
        self._is_sweeping = True
        try:
            found = run()
        finally:
            self._is_sweeping = False
        ordered = sorted(sources)
        if not all([isinstance(g, (Tensor, np.ndarray, np.generic)) for g in found.values()]):
            self._refused = True  # they are rows
            return found
        results = {n: as_value(self._trace, found[n]) for n in ordered if n in found}
        self._note(
            TapeGradient,
            tape,
            (*[n for n, _ in seeds], *arriving, *ordered),
            start,
            [x._number for x in results.values()],
            targets=len(seeds),
            keep=keep and bool(tape.records),
            has=tuple([n in found for n in ordered]),
        )
        return {**results}

    def _ref(self, g: object) -> Ref:
        return self._trace.ref(g) if isinstance(g, Tensor) else Constant(g)

    def _note(
        self,
        op: Op,
        tape: Recorder,
        inputs: tuple[Ref, ...],
        start: int | None = None,
        outputs: Sequence[int] = (),
        **attrs: object,
    ) -> None:
        if self._is_sweeping:
            return
        number, stop = self._tapes.index(tape), self._trace.noted
        step = Step(op, inputs, {"tape": number, **attrs}, tuple(outputs), True)
        self._notes.append(_Note(number, stop if start is None else start, stop, step))

    # -- the way with tapes as steps -------------------------------------------------------------

    def _may_read_again(self, made: Recording) -> bool:
        """Whether tapes may meet variables that were assigned before."""
        last = max([note.stop for note in self._notes])
        return any(
            [
                not made.rereads.keys().isdisjoint(x.outputs)
                for x in made.steps[:last]
                if isinstance(x, Step)
            ]
        )

    def way(self, exact: Way) -> Way | None:
        """A way with tapes as steps; None if it cannot be told as such steps."""
        made = exact.made
        if self._refused or self._may_read_again(made) or any(map(_happens, made.calls)):
            return None
        values = {variable._number: n for variable, n in made.reads}
        steps: list[Step | Guard] = []
        places: dict[int, int] = {}
        position = 0
        for note in self._notes:
            if note.tape not in self._matter:
                continue
            _copy(made, position, note.start, steps, places)
            position = note.stop
            if any([isinstance(x, Guard) for x in made.steps[note.start : position]]):
                return None  # rules have looked at values
            refs = [values.get(n, n) if isinstance(n, int) else n for n in note.step.inputs]
            step = _without_strangers(note.step.taking(refs), made)
            if not all([isinstance(n, Constant) or n in made.specs for n in step.inputs]):
                return None
            steps.append(step)
        _copy(made, position, len(made.steps), steps, places)
        looks = [x._replace(position=places[x.position]) for x in self._trace.all_looks]
        return Way(replace(made, steps=tuple(steps)), tuple(looks), exact.returned)


def as_value(trace: Trace, g: object) -> Tensor:
    """A gradient as a value of its own in a trace, also where it is the same in each call."""
    if isinstance(g, Tensor) and g._recorder is not None:
        found: Tensor = Identity(g)
        return found
    constant = wrap(as_wrapped(g)._array)
    trace.note_constant(constant)
    return constant


def _copy(
    made: Recording, start: int, stop: int, steps: list[Step | Guard], places: dict[int, int]
) -> None:
    """Copy steps, and note where they are now."""
    for position in range(start, stop):
        places[position] = len(steps)
        steps.append(made.steps[position])


def _without_strangers(step: Step, made: Recording) -> Step:
    """A gradient without sources that have none because the recording does not know them."""
    if step.op is not TapeGradient:
        return step
    first = len(step.inputs) - len(step.attrs["has"])
    sources = [*zip(step.inputs[first:], step.attrs["has"], strict=True)]
    known = [(n, has) for n, has in sources if has or n in made.specs]
    attrs = step.attrs | {"has": tuple([has for _, has in known])}
    return step._replace(inputs=(*step.inputs[:first], *[n for n, _ in known]), attrs=attrs)


def _happens(step: Step) -> bool:
    """Whether a step cannot be taken once more: something happens, or Python is called."""
    may_be_again = NextRandomState, ReadCapturedArray
    return step.op.has_user_rule or (step.op.effects and step.op not in may_be_again)
