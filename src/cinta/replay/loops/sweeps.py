"""Loops over one number of turns that hand values to each other turn by turn: gradients of loops.

The gradient of a loop goes through its turns once more, backwards, and takes from each what was
computed there. The gradient of that goes forwards again, and so on. Each way through the turns is a
``Sweep``. Values that one makes in its turns for another are a list of arrays that nobody else
sees, so neither their number nor their strides matter to ops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ...engine.gradient_plan import SomeResults
from ...engine.op import op
from ...engine.recorders import next_number
from ..numpy.engine import interpret
from ..recording import Recording, Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array
    from ..numpy.loops import NumpyLoop
    from ..recording import Ref

_compiled: WeakKeyDictionary[Recording, NumpyLoop] = WeakKeyDictionary()


class SweepResult(NamedTuple):
    """A result of a sweep: which sweep, and which of the values that it carries or stacks."""

    sweep: int
    position: int


class Sweep(NamedTuple):
    """One way through the turns.

    The body takes what is carried, what others have stacked, and what is the same in each turn. It
    gives what is carried on, and what is stacked for others. ``begin`` and ``fixed`` are inputs of
    the op, by position.
    """

    body: Recording
    begin: tuple[int, ...]
    rows: tuple[SweepResult, ...]
    fixed: tuple[int, ...]
    backwards: bool

    @property
    def carried(self) -> tuple[int, ...]:
        """The inputs of the body that are carried."""
        return self.body.inputs[: len(self.begin)]

    @property
    def sliced(self) -> tuple[int, ...]:
        """Its inputs that others have stacked."""
        return self.body.inputs[len(self.begin) : len(self.begin) + len(self.rows)]

    @property
    def same(self) -> tuple[int, ...]:
        """Its inputs that are the same in each turn."""
        return self.body.inputs[len(self.begin) + len(self.rows) :]

    @property
    def handed_on(self) -> tuple[Ref, ...]:
        """Its results that are carried on."""
        return self.body.results[: len(self.begin)]

    @property
    def stacked(self) -> tuple[Ref, ...]:
        """Its results that are stacked."""
        return self.body.results[len(self.begin) :]

    def stacking(self, numbers: Sequence[int]) -> Sweep:
        """The same which stacks these values of the body too."""
        if not numbers:
            return self
        results = (*self.body.results, *numbers)
        return self._replace(body=replace(self.body, results=results))


@dataclass(frozen=True, eq=False)
class Program:
    """Sweeps one after the other, and which of the carried values are wanted when they end.

    ``in_python`` gives the results for a number of turns and tensors by the ops that Python would
    call, where those of the sweeps are others.
    """

    sweeps: tuple[Sweep, ...]
    results: tuple[SweepResult, ...]
    in_python: Callable[[int, Sequence[Any]], list[Any]] | None = None

    def first_turns(self, values: Sequence[Array]) -> list[dict[int, Any]]:
        """All values in the turn of each sweep, if there were a single one."""
        turns: list[dict[int, Any]] = []
        for sweep in self.sweeps:
            rows = [
                _value(self.sweeps[place.sweep].stacked[place.position], turns[place.sweep])
                for place in sweep.rows
            ]
            given = [*[values[i] for i in sweep.begin], *rows, *[values[i] for i in sweep.fixed]]
            known = dict(zip(sweep.body.inputs, given, strict=True))
            turns.append(interpret(sweep.body, known))
        return turns

    def played(self, turns: int, values: Sequence[Any]) -> list[Any]:
        """The results for these tensors, whose ops are recorded one by one."""
        if self.in_python is not None:
            return self.in_python(turns, values)
        finals: list[list[Any]] = []
        stacks: list[list[list[Any]]] = []
        for sweep in self.sweeps:
            held = [values[i] for i in sweep.begin]
            rows = [
                stacks[i][k][:: 1 if sweep.backwards == self.sweeps[i].backwards else -1]
                for i, k in sweep.rows
            ]
            fixed = [values[i] for i in sweep.fixed]
            made: list[list[Any]] = [[] for _ in sweep.stacked]
            for turn in range(turns):
                given = (*held, *[row[turn] for row in rows], *fixed)
                results = called(sweep.body, given)
                held = results[: len(held)]
                for stack, value in zip(made, results[len(held) :], strict=True):
                    stack.append(value)
            finals.append(held)
            stacks.append(made)
        return [finals[i][k] for i, k in self.results]


def called(body: Recording, given: Sequence[Any]) -> list[Any]:
    """The results of a body whose ops are called on tensors."""
    values = dict(zip(body.inputs, given, strict=True))
    for step in body.calls:
        out = step.op(*[_value(ref, values) for ref in step.inputs], **step.attrs)
        values.update(zip(step.outputs, step.results(out), strict=True))
    return [_value(ref, values) for ref in body.results]


@op("Sweeps")
def Sweeps(xp: ArrayModule, *values: Any, program: Program) -> tuple[Any, ...]:
    """The program's results for these values, of which the first is the number of turns."""
    turns, given = int(values[0]), values[1:]
    finals: list[Sequence[Any]] = []
    stacks: list[Sequence[Any]] = []
    for sweep in program.sweeps:
        rows = [
            stacks[i][k] if sweep.backwards == program.sweeps[i].backwards else stacks[i][k][::-1]
            for i, k in sweep.rows
        ]
        begin, fixed = [given[i] for i in sweep.begin], [given[i] for i in sweep.fixed]
        found = _runner(sweep)(*begin, *(rows or [range(turns)]), *fixed)
        finals.append(found[: len(begin)])
        stacks.append(found[len(begin) :])
    return tuple([finals[i][k] for i, k in program.results])


Sweeps.several = SomeResults


@Sweeps.pullback
def _(g: Any, wanted: Sequence[bool], values: Any, program: Program) -> list[Any]:
    from .adjoints import gradients  # which are sweeps

    return [None, *gradients(program, g, wanted[1:], values[0], values[1:])]


def has_sweeps(recording: Recording) -> bool:
    """Whether it has gradients of loops of any number of turns."""
    return any([step.op is Sweeps or any(map(has_sweeps, step.bodies)) for step in recording.calls])


def _runner(sweep: Sweep) -> NumpyLoop:
    found = _compiled.get(sweep.body)
    if found is None:
        from ..numpy.loops import numpy_loop  # loops have loops in them

        body, carried = sweep.body, len(sweep.begin)
        if not sweep.rows:  # then it takes the numbers of the turns
            turn = next_number()
            inputs = (*sweep.carried, turn, *sweep.same)
            body = replace(
                body, inputs=inputs, specs=body.specs | {turn: Spec(np.dtype(np.int64), ())}
            )
        found = _compiled[sweep.body] = numpy_loop(body, 0, carried, len(sweep.rows) or 1, 0)
    return found


def _value(ref: Ref, values: dict[int, Any]) -> object:
    return values[ref] if isinstance(ref, int) else ref.value
