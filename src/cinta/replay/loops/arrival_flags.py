"""Flags that go backwards with the gradients of a loop: whether a gradient has arrived.

A gradient arrives by the sides of branches that were taken (`flows.When`). Whether these were is
told by truths in each turn; if no turn has brought a gradient, there is none.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ...engine.recorders import next_number
from ...ops.elementwise.comparison import LogicalAnd, LogicalNot, LogicalOr
from ..recording import Constant, Step
from .flows import ALWAYS, NEVER, TRUTH, Side, either

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...engine.op import Op
    from ..recording import Recording, Ref
    from .flows import Flows, When
    from .sweeps import Sweep


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
    set_now = [
        Constant(np.bool_(when == ALWAYS)) if when in (ALWAYS, NEVER) else told.truth(when)
        for when in whens
    ]
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
