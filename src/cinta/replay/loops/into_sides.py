"""Steps whose results one side of a branch alone takes, taken within that side.

So a gradient that comes to such a result comes to what it is made of, in the same side.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...dtypes import is_differentiable
from ...engine.recorders import next_number
from ..recording import Guard, Step, uses
from .loop_ops import Branch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..recording import Recording, Ref


def with_steps_in_sides(body: Recording) -> Recording:
    """The body with all such steps within sides, and within sides of these."""
    kept: list[Step | Guard] = []  # in reverse
    users: dict[int, set[int]] = {n: {-1} for n in body.ends}  # by their places there
    for step in reversed(body.steps):
        places = {k for n in _outputs(step) for k in users.get(n, ())}
        branch = kept[place] if len(places) == 1 and (place := min(places)) >= 0 else None
        moved = _with_step(branch, step, body) if _may_move(step, body) else None
        if moved is None:
            place = len(kept)
            kept.append(step)
        else:
            kept[place] = moved
        for n in uses(step):
            users.setdefault(n, set()).add(place)
    steps = [_with_sides(step) for step in reversed(kept)]
    return replace(body, steps=tuple(steps))


def _with_sides(step: Step | Guard) -> Step | Guard:
    if type(step) is Guard or step.op is not Branch:
        return step
    return step.with_bodies([with_steps_in_sides(side) for side in step.bodies])


def _outputs(step: Step | Guard) -> Sequence[int]:
    return () if type(step) is Guard else step.outputs


def _may_move(step: Step | Guard, body: Recording) -> bool:
    """Whether nobody notices if a step is left out where nobody takes its results."""
    if type(step) is Guard or step.op.effects or step.op.may_fail is not None or step.bodies:
        return False
    return any([is_differentiable(body.specs[n].dtype) for n in step.outputs])


def _with_step(branch: Step | Guard | None, step: Step | Guard, body: Recording) -> Step | None:
    """The branch with a step in the one side that takes its results; None if there is none."""
    if type(branch) is not Step or branch.op is not Branch or type(step) is not Step:
        return None
    decides, *given = branch.inputs
    if decides in step.outputs or len({*given}) < len(given):
        return None
    taking = [_takes(side, given, step) for side in branch.bodies]
    if taking[0] is taking[1]:
        return None
    left = [ref for ref in given if ref not in step.outputs]
    more = [n for n in dict.fromkeys(uses(step)) if n not in left]
    sides = [
        _rewritten(side, given, [*left, *more], step if takes else None, body)
        for side, takes in zip(branch.bodies, taking, strict=True)
    ]
    return branch.with_bodies(sides).taking((decides, *left, *more))


def _takes(side: Recording, given: Sequence[Ref], step: Step) -> bool:
    """Whether a side takes a result of a step."""
    own = {n for n, ref in zip(side.inputs, given, strict=True) if ref in step.outputs}
    return not own.isdisjoint([*side.ends, *[n for each in side.steps for n in uses(each)]])


def _rewritten(
    side: Recording, given: Sequence[Ref], now: Sequence[Ref], step: Step | None, body: Recording
) -> Recording:
    """The side for other inputs, with a step before all others."""
    names = dict(zip(given, side.inputs, strict=True))
    specs = dict(side.specs)
    for ref in (*now, *(step.outputs if step else ())):
        if ref not in names:
            names[ref] = next_number()
            specs[names[ref]] = body.spec_of(ref)
    first: list[Step] = []
    if step is not None:
        inputs = [names[ref] if isinstance(ref, int) else ref for ref in step.inputs]
        first = [step.taking(inputs)._replace(outputs=tuple([names[n] for n in step.outputs]))]
    return replace(
        side,
        inputs=tuple([names[ref] for ref in now]),
        steps=(*first, *side.steps),
        specs=specs,
    )
