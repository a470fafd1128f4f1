"""Steps whose results nobody takes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..recording import Guard

if TYPE_CHECKING:
    from ..recording import Recording, Ref


def without_dead_code(recording: Recording) -> Recording:
    """Without the steps whose results nobody takes; what has effects stays."""
    needed: set[Ref] = set(recording.ends)
    kept = []
    for step in reversed(recording.steps):
        if type(step) is Guard:
            needed.add(step.value)
        elif step.op.effects or not needed.isdisjoint(step.outputs):
            needed.update(step.inputs)
        else:
            continue
        kept.append(step)
    return replace(recording, steps=tuple(reversed(kept)))
