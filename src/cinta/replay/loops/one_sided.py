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
from .flows import ALWAYS, TRUTH, Side, either, flows_to
from .loop_ops import Branch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.op import Op
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor
    from ..recording import Recording, Ref
    from .flows import Flows, When
    from .sweeps import Sweep


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


def with_zeros(body: Recording) -> Recording:
    """The body with a gradient on both sides of a branch where one has it."""
    steps = [
        _alike(step) if isinstance(step, Step) and step.op is Branch else step
        for step in body.steps
    ]
    return replace(body, steps=tuple(steps))


def _alike(branch: Step) -> Step:
    """The branch with zeros for inputs, at those results that depend on them on the other side."""
    sides = [with_zeros(side) for side in branch.bodies]
    for place in range(len(branch.inputs) - 1):
        one, other = [_dependent(side, side.inputs[place]) for side in sides]
        sides = [
            _beside(side, side.inputs[place], results)
            for side, results in zip(sides, (other - one, one - other), strict=True)
        ]
    return branch.with_bodies(sides)


def only_adds_zeros(body: Recording, shared: Collection[int]) -> bool:
    """Whether no rule multiplies the zeros by anything: they are for ``shared`` inputs alone."""
    for branch in body.calls:
        if branch.op is not Branch:
            continue
        refs = branch.inputs[1:]
        for side in branch.bodies:
            own = {n for n, ref in zip(side.inputs, refs, strict=True) if ref in shared}
            if not only_adds_zeros(side, own):
                return False
        for place, ref in enumerate(refs):
            one, other = [_dependent(side, side.inputs[place]) for side in branch.bodies]
            if one != other and ref not in shared:
                return False
    return True


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


def with_flags(
    turn: Recording, flags: Sequence[int], whens: Sequence[When], place: int
) -> Recording:
    """The body with flags of these numbers among what it carries, from this place on.

    ``whens`` say of the values of a turn, flags of the turn before among them, when each is set.
    """
    truths = {side.value for when in whens for way in when for side in way}
    told = _Telling(replace(turn, specs=turn.specs | dict.fromkeys([*flags, *truths], TRUTH)))
    set_now = [told.truth(when) if when - ALWAYS else Constant(np.bool_(when)) for when in whens]
    return replace(
        told.recording(),
        inputs=(*turn.inputs[:place], *flags, *turn.inputs[place:]),
        results=(*turn.results[:place], *set_now, *turn.results[place:]),
    )


def with_truths(old: Sweep, flows: Flows, flags: Mapping[int, int]) -> tuple[Sweep, list[When]]:
    """The sweep which tells too what decides on gradients, and when these flags are set then.

    Each flag is of the input under whose number it stands.
    """
    ways = {n: flows.arrivals(n) for n in flags}
    asked = dict.fromkeys([x.when for each in ways.values() for x in each if x.when != ALWAYS])
    body, truths = telling(old.body, [*asked])
    known: dict[When, int | None] = {ALWAYS: None, **dict(zip(asked, truths, strict=True))}

    def is_set(n: int) -> When:
        before = [if_all(flags[n])] if n in old.same else []
        now = [
            if_all(None if k is None else flags[old.carried[k]], known[when]) for k, when in ways[n]
        ]
        return either([*before, *now])

    return old._replace(body=body), [is_set(n) for n in flags]


def if_all(*truths: int | None) -> When:
    """When all of these hold, of which None always does."""
    return frozenset({frozenset([Side(n, True, ALWAYS, 0) for n in truths if n is not None])})
