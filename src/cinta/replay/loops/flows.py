"""The values of a loop that have gradients, whatever turns and branches it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

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

Sides: TypeAlias = frozenset[tuple[int, bool]]
"""Sides of branches, each by the value that decides: one of them at least is to be taken."""


class Flows:
    """Which inputs of a body have gradients, if these results have.

    ``ends`` are carried values whose gradient is given at the end, ``stacked`` results that have
    one in each turn. ``live`` are the carried values that have gradients in some turn. The set of
    values that have them is the same from ``turns`` turns on. Inputs that all turns share may have
    one only if some turn takes one of the ``sides``. If it always depends on the number of turns,
    or otherwise on the sides of branches that they take, that raises ``NoLoop``.
    """

    def __init__(
        self, old: Sweep, ends: set[int], stacked: Sequence[Ref], wanted: Iterable[int]
    ) -> None:
        """``wanted`` are the inputs whose gradient is wanted, of those that all turns share."""
        asked = [*old.carried, *old.sliced, *wanted]
        some, each = (
            {n: flows_from(old.body, {n}, on_each) for n in asked} for on_each in (False, True)
        )
        self.live, self._have, self.turns = {*ends}, set[int](), 0
        self.sides: dict[int, Sides] = {}
        carried = ends
        while True:
            goals = {old.handed_on[k] for k in carried}.union(stacked)
            have = {n for n, values in some.items() if not goals.isdisjoint(values)}
            certain = {n for n, values in each.items() if not goals.isdisjoint(values)}
            self._note_sides(old, goals, have - certain)
            before = {k for k, n in enumerate(old.carried) if n in have}
            total = (self._have - {*old.carried}) | have
            if self.turns and before == carried and total == self._have:
                return
            self.turns, self._have, carried = self.turns + 1, total, before
            self.live |= before
            if self.turns > len(old.begin) + 1:
                raise NoLoop

    def _note_sides(self, old: Sweep, goals: set[Ref], on_some: set[int]) -> None:
        """Note by which sides gradients come to inputs; it must be the same in all turns."""
        if not on_some <= {*old.same}:
            raise NoLoop
        found = {n: sides_to(old.body, n, goals) for n in on_some}
        if self.turns and found != self.sides:
            raise NoLoop
        self.sides = found

    def has(self, n: int) -> bool:
        """Whether this input has a gradient, perhaps if a side is taken."""
        return n in self._have


def flows_from(body: Recording, given: set[int], on_each: bool) -> set[int]:
    """The values of a body from which gradients flow to these: on each way through its branches,
    or on some way."""
    found = {n for n in given if is_differentiable(body.specs[n].dtype)}
    for step in body.calls:
        found.update(
            n for n in _results_from(step, found, on_each) if is_differentiable(body.specs[n].dtype)
        )
    return found


def _results_from(step: Step, found: set[int], on_each: bool) -> Sequence[int]:
    if found.isdisjoint(uses(step)):
        return ()
    if step.op is not Branch:
        tracked = [i for i, ref in enumerate(step.inputs) if ref in found]
        return step.outputs if step.op.passes_gradients(tracked) else ()
    sides = []
    for side in step.bodies:
        inside = {n for n, ref in zip(side.inputs, step.inputs[1:], strict=True) if ref in found}
        values = flows_from(side, inside, on_each)
        sides.append([ref in values for ref in side.results])
    both = all if on_each else any
    return [n for n, *has in zip(step.outputs, *sides, strict=True) if both(has)]


def sides_to(body: Recording, n: int, goals: set[Ref]) -> Sides:
    """The sides of branches by which gradients flow from these values to an input.

    ``NoLoop`` if it takes more than one side at a time, or a side within a side.
    """
    certain, found = {n}, dict[int, Sides]()
    for step in body.calls:
        always = _results_from(step, certain, on_each=True)
        groups = dict.fromkeys(step.outputs, Sides())
        if step.op is Branch:
            for taken, name in ((True, "then"), (False, "otherwise")):
                for number in _results_of_side(step, step.attrs[name], certain):
                    groups[number] |= {(_deciding(step, body), taken)}
        for ref in uses(step):
            if ref in found:
                through = _results_from(step, {ref}, on_each=True)
                if through != _results_from(step, {ref}, on_each=False):
                    raise NoLoop
                groups |= {number: groups[number] | found[ref] for number in through}
        certain.update(always)
        found |= {number: group for number, group in groups.items() if number not in certain}
    return Sides().union(*[found[ref] for ref in goals if isinstance(ref, int) and ref in found])


def _results_of_side(step: Step, side: Recording, given: set[int]) -> list[int]:
    """The results of a branch to which gradients flow from these values by one of its sides."""
    inside = {n for n, ref in zip(side.inputs, step.inputs[1:], strict=True) if ref in given}
    each, some = (flows_from(side, inside, on_each) for on_each in (True, False))
    if each & {*side.ends} != some & {*side.ends}:
        raise NoLoop
    return [n for n, ref in zip(step.outputs, side.results, strict=True) if ref in some]


def _deciding(branch: Step, body: Recording) -> int:
    """The value that decides which side of a branch is taken."""
    n = branch.inputs[0]
    if not isinstance(n, int) or body.specs[n] != TRUTH:
        raise NoLoop
    return n
