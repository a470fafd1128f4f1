"""Draws of random numbers before all else, so that loops need not have them in their turns."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...ops.random.state import NextRandomState
from ..recording import Step, uses

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..recording import Guard, Recording


def draws_first(recording: Recording, may_follow: Callable[[Step], bool]) -> Recording:
    """The recording with its draws before all other steps, each stream in its order.

    Steps that ``may_follow`` come along if they take nothing but what comes of draws. A draw can be
    taken back, so it may come before a guard that does not hold.
    """
    drawn: set[int] = set()
    first: list[Step | Guard] = []
    others: list[Step | Guard] = []
    for step in recording.steps:
        if type(step) is Step and _comes_first(step, drawn, may_follow):
            drawn.update(step.outputs)
            first.append(step)
        else:
            others.append(step)
    return replace(recording, steps=(*first, *others)) if drawn else recording


def _comes_first(step: Step, drawn: set[int], may_follow: Callable[[Step], bool]) -> bool:
    if step.op is NextRandomState:
        return True
    if not drawn or step.op.effects:  # most recordings draw nothing, and may have a million steps
        return False
    taken = uses(step)
    return bool(taken) and drawn.issuperset(taken) and may_follow(step)
