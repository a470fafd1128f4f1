"""Stacks of values of the host, put together there: XLA would take each value by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..loops.loop_ops import Gathered, GatheredOnHost
from ..recording import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..recording import Guard, Recording


def with_host_stacks(recording: Recording, on_host: Callable[[Step], bool]) -> Recording:
    """The recording with stacks of which the host makes all values put together by the host."""
    made: set[int] = set()
    steps: list[Step | Guard] = []
    for step in recording.steps:
        if type(step) is Step:
            if step.op is Gathered and made.issuperset(step.inputs):
                if not any(step.attrs["ranges"]):
                    step = step._replace(op=GatheredOnHost, attrs={})
                    made.update(step.outputs)
            elif on_host(step):
                made.update(step.outputs)
        steps.append(step)
    return replace(recording, steps=tuple(steps))
