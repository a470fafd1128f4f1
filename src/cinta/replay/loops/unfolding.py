"""The steps of a folded recording one by one, as they were before its loops were found."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from ...engine.op import registry
from ...engine.primitives import Pack, Unpack
from ...engine.tensor import itself, truth
from ..recording import Constant, Guard, Step
from .loop_ops import Expected, Gathered, Loop, Numbered, Packed, Rows, Turn
from .numbers import in_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..recording import Ref

_MOST_TURNS = 1 << 20
"""More turns of a loop than anybody can wait for, each of which would be a step."""


class Unfolding:
    """Writes the steps that a loop stands for, with values by negative numbers of their own.

    It is told of all steps in their order.
    """

    def __init__(self, number: Callable[[], int] | None = None) -> None:
        self._renames = number is not None  # in a turn, which is written more than once
        self._number = number or count(-1, -1).__next__
        self._values: dict[int, Ref] = {}
        self._stacks: dict[int, Sequence[Ref]] = {}

    def ref(self, ref: Ref) -> Ref:
        """The value by its number among the steps that were written."""
        return self._values.get(ref, ref) if isinstance(ref, int) else ref

    def plain(self, step: Step) -> Iterator[Step | Guard]:
        """The steps in place of this one; ``ValueError`` if it does not fit those before it."""
        write = _WRITERS.get(step.op.name)
        if write is not None:
            yield from write(self, step)
            return
        yield self._own(step.taking(map(self.ref, step.inputs)))

    def _own(self, step: Step) -> Step:
        """The step with numbers of its own."""
        if self._renames:
            numbers = tuple([self._number() for _ in step.outputs])
            self._values.update(zip(step.outputs, numbers, strict=True))
            step = step._replace(outputs=numbers)
        return step

    def _stack(self, ref: Ref) -> Sequence[Ref]:
        if isinstance(ref, Constant):
            return [Constant(ref.value[i, ...]) for i in range(len(ref.value))]
        if ref not in self._stacks:
            raise ValueError("a loop takes the values of turns where there are none")
        return self._stacks[ref]

    def _rows(self, step: Step) -> Iterator[Step | Guard]:
        (x,), (stack,) = step.inputs, step.outputs
        attrs = dict(step.attrs)
        rows = tuple([self._number() for _ in range(attrs.pop("count"))])
        self._stacks[stack] = rows
        yield Step(Unpack, (self.ref(x),), attrs, rows, True, step.place)

    def _turn(self, step: Step) -> Iterator[Step | Guard]:
        (stack,), (value,) = step.inputs, step.outputs
        self._values[value] = _in(self._stack(stack), step.attrs["turn"])
        yield from ()

    def _packed(self, step: Step) -> Iterator[Step | Guard]:
        inputs = tuple(self._stack(step.inputs[0]))
        yield self._own(Step(Pack, inputs, step.attrs, step.outputs, False, step.place))

    def _gathered(self, step: Step) -> Iterator[Step | Guard]:
        values: list[Ref] = []
        for piece, where in zip(step.inputs, step.attrs["ranges"], strict=True):
            if where is None:
                values.append(self.ref(piece))
                continue
            stack, (start, turns, by) = self._stack(piece), where
            values += [_in(stack, start + by * i) for i in range(turns)]
        self._stacks[step.outputs[0]] = values
        yield from ()

    def _expected(self, step: Step) -> Iterator[Step | Guard]:
        yield from _guards(step.taking(map(self.ref, step.inputs)))

    def _numbered(self, step: Step) -> Iterator[Step | Guard]:
        turn, *inputs = map(self.ref, step.inputs)
        if not isinstance(turn, Constant):
            raise ValueError("the number of a turn is not known")
        number = int(turn.value)
        attrs = {name: in_turn(x, number) for name, x in step.attrs["attributes"].items()}
        op = registry[step.attrs["name"]]
        made = Step(op, tuple(inputs), attrs, step.outputs, step.several, step.place)
        yield from _guards(made) if op is Expected else [self._own(made)]

    def _loop(self, step: Step) -> Iterator[Step | Guard]:
        body, turns, carried = step.attrs["body"], step.attrs["turns"], step.attrs["carried"]
        sliced, last = step.attrs["sliced"], step.attrs["last"]
        values = [self.ref(ref) for ref in step.inputs[:carried]]
        stacks = [self._stack(ref) for ref in step.inputs[carried : carried + sliced]]
        fixed = [self.ref(ref) for ref in step.inputs[carried + sliced :]]
        if turns > _MOST_TURNS or any([len(stack) != turns for stack in stacks]):
            raise ValueError(f"a loop cannot have {turns} turns")
        results: list[list[Ref]] = []
        for turn in range(turns):
            inside = Unfolding(self._number)
            given = *values, *[stack[turn] for stack in stacks], *fixed
            inside._values = dict(zip(body.inputs, given, strict=True))
            for each in body.steps:
                yield from inside.plain(each)
            results.append([inside.ref(ref) for ref in body.results])
            values = results[-1][:carried]
        if not turns and last:
            raise ValueError("a loop without a turn has no last one")
        ends = [*values, *(results[-1][carried : carried + last] if turns else ())]
        self._values.update(zip(step.outputs, ends, strict=False))
        for i, number in enumerate(step.outputs[len(ends) :], len(ends)):
            self._stacks[number] = [each[i] for each in results]


def guard_of(step: Step, value: int) -> Guard:
    """The guard on a value that an ``Expected`` stands for."""
    dtype = step.attrs["dtype"]
    found = np.array(step.attrs["found"], dtype)
    return Guard(value, truth, bool(found)) if dtype.kind == "b" else Guard(value, itself, found)


def _guards(step: Step) -> Sequence[Guard]:
    """The guard; none if it looks at a constant, which must be as it expects."""
    (value,) = step.inputs
    if isinstance(value, int):
        return [guard_of(step, value)]
    guard = guard_of(step, 0)
    if not guard.holds(guard.look(np.asarray(value.value))):
        raise ValueError("a constant in a loop is not as expected")
    return []


def _in(stack: Sequence[Ref], turn: int) -> Ref:
    if not 0 <= turn < len(stack):
        raise ValueError(f"there is no turn {turn} of {len(stack)}")
    return stack[turn]


_WRITERS: dict[str, Callable[[Unfolding, Step], Iterator[Step | Guard]]] = {
    Expected.name: Unfolding._expected,
    Gathered.name: Unfolding._gathered,
    Loop.name: Unfolding._loop,
    Numbered.name: Unfolding._numbered,
    Packed.name: Unfolding._packed,
    Rows.name: Unfolding._rows,
    Turn.name: Unfolding._turn,
}
