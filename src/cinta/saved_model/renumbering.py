"""The values of a recording numbered in the order in which they appear."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from ..replay.recording import Guard

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..replay.recording import Recording, Ref, Step


def renumbered(recording: Recording, number: Callable[[], int] | None = None) -> Recording:
    """The same with other numbers for inputs, what is read from variables, results of steps.

    They begin with 0 if nothing gives others, also in the bodies of loops and branches.
    """
    number_of_body = number
    number = number or count().__next__
    new: dict[int, int] = {}

    def defined(old: int) -> int:
        new[old] = number()
        return new[old]

    def known(ref: Ref) -> Ref:
        return new[ref] if isinstance(ref, int) else ref

    inputs = tuple([defined(old) for old in recording.inputs])
    reads = tuple([(variable, defined(old)) for variable, old in recording.reads])
    steps: list[Step | Guard] = []
    for step in recording.steps:
        if isinstance(step, Guard):
            steps.append(step._replace(value=new[step.value]))
            continue
        given = tuple(map(known, step.inputs))
        step = step.with_bodies([renumbered(body, number_of_body) for body in step.bodies])
        steps.append(step._replace(inputs=given, outputs=tuple(map(defined, step.outputs))))
    return replace(
        recording,
        inputs=inputs,
        reads=reads,
        steps=tuple(steps),
        results=tuple(map(known, recording.results)),
        assigns=tuple([(variable, known(ref)) for variable, ref in recording.assigns]),
        rereads={new[old]: new[first] for old, first in recording.rereads.items() if old in new},
        specs={new[old]: spec for old, spec in recording.specs.items() if old in new},
    )
