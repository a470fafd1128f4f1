"""The steps around loops: values of all turns gathered into stacks, and taken out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.primitives import Pack, Unpack
from ...engine.recorders import next_number
from ..recording import Spec, Step, uses
from .loop_ops import Gathered, Packed, Rows, Turn
from .repeats import FEWEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..recording import Guard, Recording, Ref


class StackEntry(NamedTuple):
    """Where a value stands: in which stack, at which turn."""

    stack: int
    turn: int


class Piece(NamedTuple):
    """A part of a stack to be: a value, or values of another stack by start, count and step."""

    ref: Ref
    where: tuple[int, int, int] | None


class Stacks:
    """Writes the steps of a recording outside of its loops, as far as they are needed."""

    def __init__(self, made: Recording) -> None:
        self.steps: list[Step | Guard] = []
        self.specs = dict(made.specs)
        self._places: dict[int, StackEntry] = {}
        self._there = set(made.takes)

    def take(self, steps: Sequence[Step | Guard]) -> None:
        """Write steps that are in no loop."""
        for step in steps:
            if isinstance(step, Step) and (self._packed(step) or self._unpacked(step)):
                continue
            for n in uses(step):
                self.value(n)
            self.steps.append(step)
            if isinstance(step, Step):
                self._there.update(step.outputs)

    def add(self, step: Step, results: Sequence[Spec]) -> None:
        """Write a step of ours, with what its results are."""
        self.specs.update(zip(step.outputs, results, strict=True))
        self.steps.append(step)
        self._there.update(step.outputs)

    def value(self, ref: Ref) -> Ref:
        """The value, taken out of its stack if it stands in one."""
        if isinstance(ref, int) and ref not in self._there:
            stack, turn = self._places[ref]
            self.add(Step(Turn, (stack,), {"turn": turn}, (ref,), False), [self.specs[ref]])
        return ref

    def made(self, stack: int, values: Sequence[int]) -> None:
        """Know that these values stand in this stack."""
        self._places.update((n, StackEntry(stack, turn)) for turn, n in enumerate(values))

    def stack(self, refs: Sequence[Ref]) -> Ref:
        """These values as a stack."""
        return self._gathered(self._pieces(refs), self._stacked(refs))

    def _stacked(self, refs: Sequence[Ref]) -> Spec:
        first = refs[0]
        one = self.specs[first] if isinstance(first, int) else Spec.of(np.asarray(first.value))
        return Spec(one.dtype, (len(refs), *one.shape))

    def _gathered(self, pieces: Sequence[Piece], spec: Spec) -> Ref:
        (ref, where), *others = pieces
        if not others and where == (0, self._length(ref), 1):
            return ref
        attrs = {"ranges": tuple([piece.where for piece in pieces])}
        number = next_number()
        inputs = tuple([piece.ref for piece in pieces])
        self.add(Step(Gathered, inputs, attrs, (number,), False), [spec])
        return number

    def _length(self, stack: Ref) -> int | None:
        return self.specs[stack].shape[0] if isinstance(stack, int) else None

    def _pieces(self, refs: Sequence[Ref]) -> list[Piece]:
        """The values as few pieces."""
        places = [self._places.get(ref) if isinstance(ref, int) else None for ref in refs]
        pieces: list[Piece] = []
        start = 0
        while start < len(refs):
            stop = _run(places, start)
            first = places[start]
            if first is None or stop == start + 1:
                pieces.append(Piece(self.value(refs[start]), None))
            else:
                second: Any = places[start + 1]
                where = first.turn, stop - start, second.turn - first.turn
                pieces.append(Piece(first.stack, where))
            start = stop
        return pieces

    def _packed(self, step: Step) -> bool:
        """Write values that are packed as one stack, if they come from few."""
        if step.op is not Pack:
            return False
        places = [self._places.get(ref) if isinstance(ref, int) else None for ref in step.inputs]
        if sum([place is not None for place in places]) < max(FEWEST, len(places) // 2):
            return False
        stack = self.stack(step.inputs)
        packed = Step(Packed, (stack,), step.attrs, step.outputs, False, step.place)
        self.add(packed, [self.specs[step.outputs[0]]])
        return True

    def _unpacked(self, step: Step) -> bool:
        """Write the slices of a value as a stack, of which single ones are taken."""
        if step.op is not Unpack or len(step.outputs) < FEWEST:
            return False
        (x,), (first, *_), stack = step.inputs, step.outputs, next_number()
        spec = Spec(self.specs[first].dtype, (len(step.outputs), *self.specs[first].shape))
        attrs = step.attrs | {"count": len(step.outputs)}
        rows = Step(Rows, (self.value(x),), attrs, (stack,), False, step.place)
        self.add(rows, [spec])
        self.made(stack, step.outputs)
        return True


def _run(places: Sequence[StackEntry | None], start: int) -> int:
    """Where the values from here on cease to stand in one stack at equal distances."""
    first = places[start]
    stop = start + 1
    if first is None or stop == len(places):
        return stop
    second = places[stop]
    step = 0 if second is None or second.stack != first.stack else second.turn - first.turn
    expected = first.turn + step
    while step and stop < len(places) and places[stop] == (first.stack, expected):
        stop, expected = stop + 1, expected + step
    return stop
