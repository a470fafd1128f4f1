"""Common parts of passes: steps left out, their results known by other numbers or as constants."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..recording import Constant, Guard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..recording import Recording, Ref, Step


def substituted(recording: Recording, find: Callable[[Step], Sequence[Ref] | None]) -> Recording:
    """Without the steps for whose results ``find`` has others; it returns None for what stays.

    A step that it is asked about already takes the replacements that were found before. A value
    that Python looked at stays a value: a constant cannot be guarded.
    """
    instead: dict[Ref, Ref] = {}
    guarded = {guard.value for guard in recording.guards}

    def current(ref: Ref) -> Ref:
        return instead.get(ref, ref)

    kept: list[Step | Guard] = []
    for step in recording.steps:
        if isinstance(step, Guard):
            value = current(step.value)
            assert isinstance(value, int)
            kept.append(step._replace(value=value))
            continue
        if instead and not instead.keys().isdisjoint(step.inputs):
            step = step.taking([current(ref) for ref in step.inputs])
        found = find(step)
        if found is None or _are_guarded(found, step, guarded):
            kept.append(step)
        else:
            instead.update(zip(step.outputs, found, strict=True))
    return replace(
        recording,
        steps=tuple(kept),
        results=tuple([current(ref) for ref in recording.results]),
        assigns=tuple([(variable, current(ref)) for variable, ref in recording.assigns]),
    )


def _are_guarded(found: Sequence[Ref], step: Step, guarded: set[int]) -> bool:
    """Whether a constant would take the place of something that is guarded."""
    pairs = zip(step.outputs, found, strict=True)
    return any(isinstance(ref, Constant) and number in guarded for number, ref in pairs)
