"""The values of a loop that have gradients, whatever turns and branches it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dtypes import is_differentiable
from ..recording import uses
from .loop_ops import Branch
from .references import NoLoop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..recording import Recording, Ref, Step
    from .sweeps import Sweep


class Flows:
    """Which inputs of a body have gradients, if these results have.

    ``ends`` are carried values whose gradient is given at the end, ``stacked`` results that have
    one in each turn. ``live`` are the carried values that have gradients in some turn. The set of
    values that have them is the same from ``turns`` turns on. If it always depends on the number of
    turns, or on the sides of branches that they take, that raises ``NoLoop``.
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
        carried = ends
        while True:
            goals = {old.handed_on[k] for k in carried}.union(stacked)
            have = {n for n, values in each.items() if not goals.isdisjoint(values)}
            if have != {n for n, values in some.items() if not goals.isdisjoint(values)}:
                raise NoLoop
            before = {k for k, n in enumerate(old.carried) if n in have}
            total = (self._have - {*old.carried}) | have
            if self.turns and before == carried and total == self._have:
                return
            self.turns, self._have, carried = self.turns + 1, total, before
            self.live |= before
            if self.turns > len(old.begin) + 1:
                raise NoLoop

    def has(self, n: int) -> bool:
        """Whether this input has a gradient."""
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
