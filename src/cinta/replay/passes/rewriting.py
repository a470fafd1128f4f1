"""The walk of passes: steps changed or left out, their results known by other numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..recording import Constant, Guard, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..recording import Recording, Ref

Rule: TypeAlias = "Callable[[Step], Step | Sequence[Ref] | None]"
"""A rule gives the step that takes the place of this one, or the values that are its results.

None leaves it as it is.
"""


@np.errstate(all="ignore")  # rules may compute with numbers beyond a dtype
def rewritten(recording: Recording, *rules: Rule) -> Recording:
    """The recording after one walk, in which each step goes through the rules in their order.

    A step that a rule is asked about already takes the replacements that were found before. A value
    that Python looked at stays a value: a constant cannot be guarded.
    """
    instead: dict[Ref, Ref] = {}
    guarded = {guard.value for guard in recording.guards}

    def current(ref: Ref) -> Ref:
        return instead.get(ref, ref)

    kept: list[Step | Guard] = []
    for step in recording.steps:
        if type(step) is Guard:
            value = current(step.value)
            assert isinstance(value, int)
            kept.append(step._replace(value=value))
            continue
        if instead and not instead.keys().isdisjoint(step.inputs):
            step = step.taking([current(ref) for ref in step.inputs])
        for rule in rules:
            found = rule(step)
            if found is None:
                continue
            if type(found) is Step:
                step = found
            elif not (guarded and _are_guarded(found, step, guarded)):
                instead.update(zip(step.outputs, found, strict=True))
                break
        else:
            kept.append(step)
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
