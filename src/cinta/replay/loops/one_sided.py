"""Inputs of a loop that only some sides of its branches use, such as the variables of a side.

The gradient of an input that all turns share is a sum over the turns that use it. A side that does
not use it gives zeros, so that all turns are alike. Whether any turn has used it is known from the
sides that were taken (`flows.When`); if none has, there is no gradient.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ...engine.op import op
from ...engine.recorders import next_number
from ...engine.tensor import wrap
from ...ops.elementwise.comparison import LogicalAnd, LogicalNot, LogicalOr
from ..recording import Constant, Step
from .flows import TRUTH, flows_to
from .loop_ops import Branch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.op import Op
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor
    from ..recording import Recording, Ref
    from .flows import Side, When


@op("Beside", elementwise=True)
def Beside(xp: ArrayModule, value: Array, other: Array) -> Array:
    """The first value, which has a gradient for the other one: zeros."""
    return value


def _zeros(
    g: Tensor, value_shape: Shape, other_shape: Shape, other_dtype: np.dtype[np.generic]
) -> Tensor:
    lead = g._array.shape[: g._array.ndim - len(value_shape)]
    return wrap(np.zeros((*lead, *other_shape), other_dtype))


Beside.grads(value=lambda g: g, other=_zeros)


def with_zeros(body: Recording, shared: Collection[int]) -> Recording:
    """The body of a loop, with a gradient on both sides of a branch where one has it.

    That is for ``shared`` inputs. No rule in the loop multiplies these zeros by anything.
    """
    steps = [
        _alike(step, shared) if isinstance(step, Step) and step.op is Branch else step
        for step in body.steps
    ]
    return replace(body, steps=tuple(steps))


def _alike(branch: Step, shared: Collection[int]) -> Step:
    """The branch with zeros for inputs, at those results that depend on them on the other side."""
    refs = branch.inputs[1:]
    sides = [
        with_zeros(side, {n for n, ref in zip(side.inputs, refs, strict=True) if ref in shared})
        for side in branch.bodies
    ]
    for place, ref in enumerate(refs):
        if ref in shared:
            one, other = [_dependent(side, side.inputs[place]) for side in sides]
            sides = [
                _beside(side, side.inputs[place], results)
                for side, results in zip(sides, (other - one, one - other), strict=True)
            ]
    return branch.with_bodies(sides)


def _dependent(side: Recording, n: int) -> set[int]:
    """The results, by position, from which gradients flow to an input."""
    found = flows_to(n, side)
    return {i for i, ref in enumerate(side.results) if ref in found}


def _beside(side: Recording, n: int, at: Collection[int]) -> Recording:
    """The side with gradients from results at these positions to an input, which are zeros."""
    if not at:
        return side
    steps, specs, results = [*side.steps], dict(side.specs), [*side.results]
    for i in at:
        number = next_number()
        specs[number] = side.spec_of(results[i])
        steps.append(Step(Beside, (results[i], n), {}, (number,), False))
        results[i] = number
    return replace(side, steps=tuple(steps), specs=specs, results=tuple(results))


def telling(body: Recording, whens: Sequence[When]) -> tuple[Recording, list[int]]:
    """The body which tells too whether these hold in a turn, and the numbers of these truths."""
    told = _Telling(body)
    truths = [told.truth(when) for when in whens]
    return told.recording(), truths


class _Telling:
    """Adds truths to a body: steps at its end, and results of branches within which they are."""

    def __init__(self, body: Recording) -> None:
        self._body = body
        self._steps, self._specs = [*body.steps], dict(body.specs)
        self._known: dict[When | Side, int] = {}

    def recording(self) -> Recording:
        return replace(self._body, steps=tuple(self._steps), specs=self._specs)

    def truth(self, when: When) -> int:
        """The number of a value that tells whether this holds, which it must sometimes."""
        if when not in self._known:
            ways = [reduce(self._and, map(self._taken, way)) for way in when]
            self._known[when] = reduce(self._or, ways)
        return self._known[when]

    def _taken(self, side: Side) -> int:
        if side not in self._known:
            self._known[side] = (
                self._told_within(side)
                if side.branch
                else side.value
                if side.truth
                else self._called(LogicalNot, side.value)
            )
        return self._known[side]

    def _told_within(self, side: Side) -> int:
        """A further result of a branch: whether what must hold within its side does."""
        place = next(
            i
            for i, step in enumerate(self._steps)
            if isinstance(step, Step) and side.branch in step.outputs
        )
        branch = self._steps[place]
        assert isinstance(branch, Step)
        sides = []
        for body, truth in zip(branch.bodies, (True, False), strict=True):
            told: Ref = Constant(np.False_)
            if truth is side.truth:
                body, (told,) = telling(body, [side.within])
            sides.append(replace(body, results=(*body.results, told)))
        number = self._new()
        outputs = (*branch.outputs, number)
        self._steps[place] = branch.with_bodies(sides)._replace(outputs=outputs)
        return number

    def _and(self, one: int, other: int) -> int:
        return self._called(LogicalAnd, one, other)

    def _or(self, one: int, other: int) -> int:
        return self._called(LogicalOr, one, other)

    def _called(self, op: Op, *inputs: int) -> int:
        number = self._new()
        self._steps.append(Step(op, inputs, {}, (number,), False))
        return number

    def _new(self) -> int:
        number = next_number()
        self._specs[number] = TRUTH
        return number


def with_flags(turn: Recording, truths: Sequence[int], place: int) -> Recording:
    """The body with flags among what it carries, from this place on: whether a truth has held."""
    flags, news = [[next_number() for _ in truths] for _ in range(2)]
    steps = [
        Step(LogicalOr, (flag, truth), {}, (new,), False)
        for flag, truth, new in zip(flags, truths, news, strict=True)
    ]
    return replace(
        turn,
        inputs=(*turn.inputs[:place], *flags, *turn.inputs[place:]),
        steps=(*turn.steps, *steps),
        specs=turn.specs | dict.fromkeys([*flags, *news, *truths], TRUTH),
        results=(*turn.results[:place], *news, *turn.results[place:]),
    )
