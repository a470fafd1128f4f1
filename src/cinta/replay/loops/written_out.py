"""Recordings with tapes as steps, with what the rules of ops do in place of these.

The steps are taken once more, on the values of a call: tapes hear of them, and give the gradients,
while a trace records it all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...engine import recorders
from ...engine.device_values import on_host
from ...engine.operation import originate
from ...engine.primitives import Identity
from ...engine.recorders import Recorder
from ...engine.sweep import sweep
from ...engine.tensor import as_wrapped, truth, wrap
from ...ops.random.state import seeds
from ...user_frames import NOWHERE
from ..recording import Guard, Recording, Step
from ..trace import Trace
from .meeting import does_the_same, is_same
from .references import NoLoop
from .tape_notes import as_value
from .tape_steps import TapeGradient, TapeStarts, TapeStops, TapeWatches
from .ways import in_one

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.device_values import Held
    from ...engine.op import Op
    from ...engine.tensor import Array, Tensor
    from ...user_frames import CodePlace
    from ..recording import Ref
    from .tape_notes import TapeNotes
    from .way import Way


_OF_NONE = -1
"""The number of no value."""


class WrittenOut(NamedTuple):
    """Such a recording; ``answers`` are what the rules have found where they looked at values."""

    made: Recording
    answers: tuple[bool, ...]


class CallValues(NamedTuple):
    """The values that a function was given in a call, and those of variables that it read, by
    their numbers."""

    inputs: Sequence[Held]
    variables: dict[int, Held]

    def of(self, made: Recording) -> list[Array]:
        """The values that a recording takes; on other ways it may read other variables."""
        read = [self.variables.get(v._number, v._array) for v, _ in made.reads]
        return [on_host(x) for x in (*self.inputs, *read)]


def written_out(made: Recording, values: CallValues) -> WrittenOut:
    """The recording without tapes, for the values of a call.

    Raises ``NoLoop`` if there is none but for as many turns of its loops as there are now.
    """
    before = seeds.snapshot()
    try:
        with recorders.paused():
            return _Rewriter(made, values).written()
    finally:
        seeds.rewind(before)


def with_tapes_as_steps(exact: Way, notes: TapeNotes, values: CallValues) -> Way:
    """The way together with that on which tapes are steps.

    There is none if, written out, that is not just what the function did in this call.
    """
    way = notes.way(exact)
    if way is None:
        return exact
    try:
        again = written_out(way.made, values).made
    except NoLoop:
        return exact
    return exact._replace(on_tapes=way) if is_the_same(exact.made, again) else exact


def in_one_with_tapes(ways: Sequence[Way], values: CallValues) -> WrittenOut | None:
    """A recording that goes all ways on which tapes are steps, for the values of a call."""
    on_tapes = [way.on_tapes for way in ways if way.on_tapes is not None]
    made = in_one(on_tapes) if len(on_tapes) == len(ways) else None
    if made is None:
        return None
    try:
        return written_out(made, values)
    except NoLoop:
        return None


def is_the_same(one: Recording, other: Recording) -> bool:
    """Whether two recordings take the same steps and have the same results."""
    numbers = dict(zip(one.takes, other.takes, strict=True))

    def are_one(mine: Ref, yours: Ref) -> bool:
        return is_same(numbers.get(mine, _OF_NONE) if isinstance(mine, int) else mine, yours)

    mine, yours = [*one.calls], [*other.calls]
    if len(mine) != len(yours):
        return False
    for step, same in zip(mine, yours, strict=True):
        if not (does_the_same(step, same) and all(map(are_one, step.inputs, same.inputs))):
            return False
        numbers.update(zip(step.outputs, same.outputs, strict=True))
    return all(map(are_one, one.gives, other.gives))


class _Rewritten(Trace):
    """A trace of steps that were recorded before, which keep their places in the program."""

    def __init__(self) -> None:
        super().__init__()
        self.written_at = NOWHERE
        self.guards: list[Guard] = []

    def _call(
        self,
        op: Op,
        refs: list[Ref],
        attrs: dict[str, object],
        outputs: int | tuple[int, ...],
        array: Held | None,
        place: CodePlace,
    ) -> None:
        super()._call(op, refs, attrs, outputs, array, self.written_at)

    def _guard(self, guard: Guard) -> None:
        super()._guard(guard)
        self.guards.append(guard)


class _Rewriter:
    """Takes the steps of a recording once more."""

    def __init__(self, made: Recording, values: CallValues) -> None:
        self._made, self._trace = made, _Rewritten()
        self._tapes: dict[int, Recorder] = {}
        self._values = values
        self._tensors: dict[int, Tensor] = {}
        self._of_loops: set[int] = set()  # values that loops and branches give
        self._answers: list[bool] = []

    def written(self) -> WrittenOut:
        made, trace = self._made, self._trace
        given = made.takes
        with recorders.following(trace):
            for n, value in zip(given, self._values.of(made), strict=True):
                self._tensors[n] = trace.argument(wrap(value))
            try:
                for step in made.steps:
                    self._take(step)
            finally:
                for tape in self._tapes.values():
                    tape.close()
            ends = [self._value(ref) for ref in made.gives]
            found = trace.finisher(made.name, [as_wrapped(x) for x in ends])()
        if trace.refused or trace.caught:
            raise NoLoop
        numbers = dict(zip(given, found.inputs, strict=True))
        count = len(made.inputs)
        variables = [variable for variable, _ in made.reads]
        assigned = [variable for variable, _ in made.assigns]
        results = len(made.results)
        rewritten = replace(
            found,
            inputs=found.inputs[:count],
            reads=tuple(zip(variables, found.inputs[count:], strict=True)),
            results=found.results[:results],
            assigns=tuple(zip(assigned, found.results[results:], strict=True)),
            rereads={self._number(n): numbers[x] for n, x in made.rereads.items()},
        )
        return WrittenOut(rewritten, tuple(self._answers))

    def _number(self, n: int) -> int:
        """The number of a value now; in loops and branches it is as it was."""
        number: int = self._tensors[n]._number if n in self._tensors else n
        return number

    def _value(self, ref: Ref) -> object:
        return self._tensors[ref] if isinstance(ref, int) else ref.value

    def _take(self, step: Step | Guard) -> None:
        if isinstance(step, Guard):
            self._look(step)
            return
        self._trace.written_at = step.place
        given = [self._value(ref) for ref in step.inputs]
        taken = _TAKEN.get(step.op)
        if taken is not None:
            self._check_identity(step)
            found = taken(self, given, **step.attrs)
        elif step.op is Identity:  # perhaps of a constant that is recorded since it counts
            found = [as_value(self._trace, given[0])]
        elif step.op.effects:
            found = step.results(originate(step.op, **step.attrs))
        else:
            found = step.results(step.op(*given, **step.attrs))
        self._tensors.update(zip(step.outputs, found, strict=True))
        if step.bodies:
            self._of_loops.update(step.outputs)

    def _check_identity(self, step: Step) -> None:
        """Refuse to watch what a loop gives, and gradients by it.

        For a tape it is the very value that the last turn has made, and used there perhaps, or that
        from before the loop, if no turn has made another.
        """
        first = 2 * step.attrs.get("targets", 0)
        if not self._of_loops.isdisjoint([x for x in step.inputs[first:] if isinstance(x, int)]):
            raise NoLoop

    def _look(self, guard: Guard) -> None:
        tensor = self._tensors[guard.value]
        if not guard.holds(guard.look(tensor._array)):
            raise NoLoop
        self._trace.value_read(tensor, guard.look, guard.found)

    # -- tapes -----------------------------------------------------------------------------------

    def starts(self, given: Sequence[Tensor], *, tape: int, watches: bool) -> tuple[()]:
        """Let a tape record, and watch variables, which are read when it does not record too."""
        recorder = self._tapes.setdefault(tape, Recorder(watches))
        recorders.start(recorder)
        for variable, n in self._made.reads if watches else ():
            if variable.trainable and variable._differentiable:
                recorders.watch(self._tensors[n], recorder)
        return ()

    def stops(self, given: Sequence[Tensor], *, tape: int) -> tuple[()]:
        """Let a tape record no more."""
        recorders.stop(self._tapes[tape])
        return ()

    def watches(self, given: Sequence[Tensor], *, tape: int) -> tuple[()]:
        """Let a tape watch a value."""
        recorders.watch(given[0], self._tapes[tape])
        return ()

    def gradient(
        self, given: Sequence[Tensor], *, tape: int, targets: int, keep: bool, has: tuple[bool, ...]
    ) -> list[Tensor]:
        """The gradients that a tape gives."""
        numbers = [x._number for x in given[2 * targets :]]
        arriving = [
            (x._number, g)
            for x, g in zip(given[:targets], given[targets : 2 * targets], strict=True)
        ]
        before = len(self._trace.guards)
        found = sweep(self._tapes[tape], arriving, {*numbers}, keep=keep)
        guards = self._trace.guards[before:]
        if tuple([n in found for n in numbers]) != has or any(
            [x.look is not truth for x in guards]
        ):
            raise NoLoop
        self._answers += [bool(guard.found) for guard in guards]
        return [as_value(self._trace, found[n]) for n in numbers if n in found]


_TAKEN: dict[Op, Callable[..., Sequence[Tensor]]] = {
    TapeStarts: _Rewriter.starts,
    TapeStops: _Rewriter.stops,
    TapeWatches: _Rewriter.watches,
    TapeGradient: _Rewriter.gradient,
}
