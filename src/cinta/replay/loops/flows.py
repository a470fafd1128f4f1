"""The values of a loop that have gradients, whatever turns and branches it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ...dtypes import is_differentiable
from ..recording import Spec, uses
from .loop_ops import Branch
from .references import NoLoop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..recording import Recording, Ref, Step
    from .sweeps import Sweep

TRUTH = Spec(np.dtype(np.bool_), ())


class Side(NamedTuple):
    """A side of a branch: the value that decides, and its truth there.

    ``within`` is what must hold in that side besides; ``branch`` is then the first result of the
    branch, and 0 if it is nothing.
    """

    value: int
    truth: bool
    within: When
    branch: int


When: TypeAlias = "frozenset[frozenset[Side]]"
"""When something holds in a turn: if all sides of one of these sets are taken."""

NEVER: When = frozenset()
ALWAYS: When = frozenset({frozenset()})

_MOST = 64
"""So many sets of sides are told apart."""


def either(whens: Iterable[When]) -> When:
    """When one of them holds at least."""
    found = NEVER.union(*whens)
    return ALWAYS if found >= ALWAYS else found


def both(one: When, other: When) -> When:
    """When both hold."""
    found = either([frozenset([a | b for a in one for b in other])])
    if len(found) > _MOST:
        raise NoLoop
    return found


class Arrival(NamedTuple):
    """A way on which a gradient comes to an input in a turn: when it flows, if it comes there.

    ``carried`` is the place of the carried value by which it must have come; None if it has.
    """

    carried: int | None
    when: When


class Flows:
    """Which inputs of a body have gradients behind the turns, if these results have.

    ``ends`` are carried values whose gradient is given at the end, ``stacked`` results that have
    one in each turn. ``live`` are the carried values that may have gradients in some turn.

    It is ``settled`` if the inputs with gradients are the same ones from ``turns`` turns on, but
    for those that all turns share and that have one just if the same holds in some turn. Else it
    depends on what the turns do which carried values have gradients.
    """

    def __init__(
        self, old: Sweep, ends: set[int], stacked: Sequence[Ref], wanted: Iterable[int]
    ) -> None:
        """``wanted`` are the inputs whose gradient is wanted, of those that all turns share."""
        self._old, self._ends, self._stacked = old, ends, stacked
        asked = [*old.carried, *old.sliced, *wanted]
        self._flows = {n: flows_to(n, old.body) for n in asked}
        self.live = self._ever()
        self._have = {*self._whens(self.live)}
        self._sometimes: dict[int, When] = {}
        self.turns = self._settling()
        self.settled = self.turns > 0
        if not (self.settled or self._have.isdisjoint(old.sliced)):
            raise NoLoop

    def has(self, n: int) -> bool:
        """Whether an input has a gradient, perhaps if something holds."""
        return n in self._have

    def may_lack(self, n: int) -> bool:
        """Whether it depends on what the turns do if an input has a gradient."""
        if self.settled:
            return n in self._sometimes
        return n in self._old.carried or self._when(n, self._ends) != ALWAYS

    def arrivals(self, n: int) -> list[Arrival]:
        """The ways on which a gradient may come to such an input."""
        if self.settled:
            return [Arrival(None, self._sometimes[n])]
        found = [Arrival(None, self._when(n, ()))]
        found += [Arrival(k, self._flow(n, self._old.handed_on[k])) for k in sorted(self.live)]
        return [each for each in found if each.when]

    def _flow(self, n: int, ref: Ref) -> When:
        return self._flows[n].get(ref, NEVER) if isinstance(ref, int) else NEVER

    def _when(self, n: int, carried: Iterable[int]) -> When:
        """When an input has a gradient behind a turn, if these carried values have one before."""
        goals = [*[self._old.handed_on[k] for k in carried], *self._stacked]
        return either([self._flow(n, ref) for ref in goals])

    def _whens(self, carried: set[int]) -> dict[int, When]:
        return {n: when for n in self._flows if (when := self._when(n, carried))}

    def _carried(self, have: Iterable[int]) -> set[int]:
        return {k for k, n in enumerate(self._old.carried) if n in have}

    def _ever(self) -> set[int]:
        live, more = {*self._ends}, self._carried(self._whens(self._ends))
        while not more <= live:
            live |= more
            more = self._carried(self._whens(live))
        return live

    def _settling(self) -> int:
        """The turns from which on the inputs with gradients are the same; 0 if they may differ."""
        carried, have = self._ends, set[int]()
        for turns in range(len(self._old.begin) + 2):
            whens = self._whens(carried)
            sometimes = {n: when for n, when in whens.items() if when != ALWAYS}
            if not sometimes.keys() <= {*self._old.same}:
                return 0
            if turns and sometimes != self._sometimes:
                return 0
            before, now = have, (have - {*self._old.carried}) | whens.keys()
            if turns and now == before and self._carried(whens) == carried:
                self._have = now
                return turns
            self._sometimes, carried, have = sometimes, self._carried(whens), now
        return 0


def flows_to(n: int, body: Recording) -> dict[int, When]:
    """The values of a body from which gradients flow to an input, and when."""
    found = {n: ALWAYS} if is_differentiable(body.specs[n].dtype) else {}
    for step in body.calls:
        if found.keys().isdisjoint(uses(step)):
            continue
        if step.op is Branch:
            whens = [_through(step, place, found, body) for place in range(len(step.outputs))]
        else:
            passed = [
                found[ref]
                for i, ref in enumerate(step.inputs)
                if isinstance(ref, int) and ref in found and step.op.passes_gradients([i])
            ]
            whens = [either(passed)] * len(step.outputs)
        found |= {
            number: when
            for number, when in zip(step.outputs, whens, strict=True)
            if when and is_differentiable(body.specs[number].dtype)
        }
    return found


def _through(branch: Step, place: int, found: dict[int, When], body: Recording) -> When:
    """When gradients flow through the result at this place of a branch."""
    then, otherwise = [_within(side, branch, place, found) for side in branch.bodies]
    if all([any([found[n] == x == ALWAYS for n, x in each.items()]) for each in (then, otherwise)]):
        return ALWAYS
    whens = []
    for n in then | otherwise:
        if then.get(n) == otherwise.get(n) == ALWAYS:
            whens.append(found[n])
            continue
        for side, truth in ((then, True), (otherwise, False)):
            if n in side:
                whens.append(both(found[n], _if_taken(branch, truth, side[n], body)))
    return either(whens)


def _within(side: Recording, branch: Step, place: int, found: dict[int, When]) -> dict[int, When]:
    """When they flow, in a side of a branch, from its result to each of these values."""
    whens: dict[int, When] = {}
    for n, ref in zip(side.inputs, branch.inputs[1:], strict=True):
        if isinstance(ref, int) and ref in found:
            result = side.results[place]
            flows = flows_to(n, side)
            if isinstance(result, int) and result in flows:
                whens[ref] = either([flows[result], whens.get(ref, NEVER)])
    return whens


def _if_taken(branch: Step, truth: bool, within: When, body: Recording) -> When:
    """When a side of a branch is taken and something holds within it."""
    n = branch.inputs[0]
    if not isinstance(n, int) or body.specs[n] != TRUTH:
        raise NoLoop
    return frozenset(
        {frozenset({Side(n, truth, within, 0 if within == ALWAYS else branch.outputs[0])})}
    )
