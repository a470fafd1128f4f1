"""The walk of passes: steps changed or left out, their results known by other numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ..recording import Constant, Guard, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from ..recording import Recording, Ref

Makers: TypeAlias = "dict[int, Step]"
"""The steps kept so far, by the numbers of their results."""

Find: TypeAlias = "Callable[[Step, Makers], Step | Sequence[Ref] | None]"


class Rule(NamedTuple):
    """A rule gives the step that takes the place of this one, or the values that are its results.

    None leaves it as it is. ``ops`` are the names of the ops on which it has something to say, None
    for all. A step that a rule makes one of another op meets the rules for the op that it was.
    """

    find: Find
    ops: Container[str] | None = None


@np.errstate(all="ignore")  # rules may compute with numbers beyond a dtype
def rewritten(recording: Recording, *rules: Rule) -> Recording:
    """The recording after one walk, in which each step goes through the rules in their order.

    A step that a rule is asked about already takes the replacements that were found before. A value
    that Python looked at stays a value: a constant cannot be guarded.
    """
    instead: dict[Ref, Ref] = {}
    guarded = {guard.value for guard in recording.guards}
    makers: Makers = {}
    asked: dict[str, list[Find]] = {}  # by the names of ops
    kept: list[Step | Guard] = []
    for step in recording.steps:
        if type(step) is Guard:
            value = instead.get(step.value, step.value)
            assert isinstance(value, int)
            kept.append(step._replace(value=value))
            continue
        if instead and not instead.keys().isdisjoint(step.inputs):
            step = step.taking([instead.get(ref, ref) for ref in step.inputs])
        name = step.op.name
        if name not in asked:
            asked[name] = [rule.find for rule in rules if rule.ops is None or name in rule.ops]
        for find in asked[name]:
            found = find(step, makers)
            if found is None:
                continue
            if type(found) is Step:
                step = found
            elif not (guarded and _are_guarded(found, step, guarded)):
                instead.update(zip(step.outputs, found, strict=True))
                break
        else:
            for number in step.outputs:
                makers[number] = step
            kept.append(step)
    return replace(
        recording,
        steps=tuple(kept),
        results=tuple([instead.get(ref, ref) for ref in recording.results]),
        assigns=tuple([(variable, instead.get(ref, ref)) for variable, ref in recording.assigns]),
    )


def _are_guarded(found: Sequence[Ref], step: Step, guarded: set[int]) -> bool:
    """Whether a constant would take the place of something that is guarded."""
    pairs = zip(step.outputs, found, strict=True)
    return any(isinstance(ref, Constant) and number in guarded for number, ref in pairs)
