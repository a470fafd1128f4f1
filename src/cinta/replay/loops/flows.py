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


class Flows:
    """Which inputs of a body have gradients, if these results have.

    ``ends`` are carried values whose gradient is given at the end, ``stacked`` results that have
    one in each turn. ``live`` are the carried values that have gradients in some turn. The set of
    values that have them is the same from ``turns`` turns on. ``sometimes`` has inputs that all
    turns share and that have one only if something holds in some turn. If it always depends on the
    number of turns, or otherwise on the sides of branches that they take, that raises ``NoLoop``.
    """

    def __init__(
        self, old: Sweep, ends: set[int], stacked: Sequence[Ref], wanted: Iterable[int]
    ) -> None:
        """``wanted`` are the inputs whose gradient is wanted, of those that all turns share."""
        asked = [*old.carried, *old.sliced, *wanted]
        flows = {n: flows_to(n, old.body) for n in asked}
        self.live, self._have, self.turns = {*ends}, set[int](), 0
        self.sometimes: dict[int, When] = {}
        carried = ends
        while True:
            goals = {old.handed_on[k] for k in carried}.union(stacked)
            whens = {
                n: either([values[x] for x in goals if isinstance(x, int) and x in values])
                for n, values in flows.items()
            }
            have = {n for n, when in whens.items() if when}
            self._note_sometimes(old, {n: whens[n] for n in have if whens[n] != ALWAYS})
            before = {k for k, n in enumerate(old.carried) if n in have}
            total = (self._have - {*old.carried}) | have
            if self.turns and before == carried and total == self._have:
                return
            self.turns, self._have, carried = self.turns + 1, total, before
            self.live |= before
            if self.turns > len(old.begin) + 1:
                raise NoLoop

    def _note_sometimes(self, old: Sweep, found: dict[int, When]) -> None:
        """Note when inputs have gradients that do not always; it must be so in all turns."""
        if not found.keys() <= {*old.same} or (self.turns and found != self.sometimes):
            raise NoLoop
        self.sometimes = found

    def has(self, n: int) -> bool:
        """Whether this input has a gradient, perhaps if something holds."""
        return n in self._have


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
