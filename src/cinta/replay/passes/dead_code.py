"""Steps whose results nobody takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...engine.op import registry
from ..loops.loop_ops import Numbered
from ..recording import Guard

if TYPE_CHECKING:
    from ..recording import Recording, Ref, Step


def without_dead_code(recording: Recording) -> Recording:
    """Without the steps whose results nobody takes; what has effects stays."""
    needed: set[Ref] = set(recording.ends)
    kept = []
    for step in reversed(recording.steps):
        if type(step) is Guard:
            needed.add(step.value)
        elif not needed.isdisjoint(step.outputs) or _has_effects(step):
            needed.update(step.inputs)
        else:
            continue
        kept.append(step)
    return replace(recording, steps=tuple(reversed(kept)))


def with_guards_once(recording: Recording) -> Recording:
    """Without the guards that ask of a value what a guard before them has made sure of."""
    if len(recording.guards) < 2:
        return recording
    known: dict[object, Guard] = {}
    kept = []
    for step in recording.steps:
        if type(step) is Guard:
            first = known.setdefault((step.value, step.look), step)
            if first is not step and first.holds(step.found):
                continue
        kept.append(step)
    return replace(recording, steps=tuple(kept))


def _has_effects(step: Step) -> bool:
    """Whether a step is not in vain even if nobody takes its results."""
    op = registry[step.attrs["name"]] if step.op is Numbered else step.op
    return op.effects or any([_has_effects(each) for body in step.bodies for each in body.calls])
