"""The order of what happens and what is guarded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..recording import Step

if TYPE_CHECKING:
    from ..recording import Recording


def effects_after_guards(recording: Recording) -> Recording:
    """Printing and the like behind the last guard: it shall not happen if a guard does not hold."""
    steps = recording.steps
    if not recording.guards:
        return recording
    late = [s for s in steps if isinstance(s, Step) and s.op.effects and not s.outputs]
    places = {id(s) for s in late}
    others = [s for s in steps if id(s) not in places]
    return replace(recording, steps=(*others, *late))
