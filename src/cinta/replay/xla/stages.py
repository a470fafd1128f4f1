"""Which steps of a recording run on the host, which on the device, and in which order.

A program is a list of stages: first some steps on the host, then one compiled function on the
device. Work on the host - Python's looks at values, effects, ops that XLA lacks - keeps its order,
so that nothing happens behind a look that finds something else. Work on the device runs as early as
it can: most recordings are a single stage.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from ...ops.random.state import NextRandomState
from ..recording import Guard, Step, uses

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..recording import Recording

Host: TypeAlias = Step | Guard
"""Work that runs on the host."""


class HostThenDevice:
    """Steps on the host, and then steps on the device."""

    def __init__(self) -> None:
        self.host: list[Host] = []
        self.device: list[Step] = []
        self.takes: tuple[int, ...] = ()
        self.gives: tuple[int, ...] = ()
        self.frees: tuple[int, ...] = ()


def stages(recording: Recording, on_host: Callable[[Step], bool]) -> list[HostThenDevice]:
    """The stages of a recording, some steps of which are to run on the host."""
    found: defaultdict[int, HostThenDevice] = defaultdict(HostThenDevice)
    on_device_at: defaultdict[int, int] = defaultdict(int)  # the stage in which a value is there
    on_host_at: defaultdict[int, int] = defaultdict(int)
    turn = 0
    for step in recording.steps:
        used = uses(step)
        if isinstance(step, Guard) or on_host(step):
            stage = max([on_host_at[n] for n in used], default=0)
            if isinstance(step, Guard) or step.op is not NextRandomState:  # that can be taken back
                stage = turn = max(stage, turn)
            found[stage].host.append(step)
            ready = stage
        else:
            stage = max([on_device_at[n] for n in used], default=0)
            found[stage].device.append(step)
            ready = stage + 1
        for n in step.outputs if isinstance(step, Step) else ():
            on_device_at[n], on_host_at[n] = stage, ready
    ordered = [found[i] for i in sorted(found)]
    _connect(ordered, recording)
    return ordered


def _connect(ordered: list[HostThenDevice], recording: Recording) -> None:
    """Find out which values each stage's function takes, which it gives, and which are of no use
    behind it. Inputs, and what effects gave, are kept for a second look if something is wrong."""
    wanted = set(recording.ends)
    made_anew = {n for s in recording.calls if not s.op.effects for n in s.outputs}
    for stage in reversed(ordered):
        made = {n for step in stage.device for n in step.outputs}
        used = {n for step in stage.device for n in uses(step)}
        stage.gives = tuple(sorted(made & wanted))
        stage.takes = tuple(sorted(used - made))
        stage.frees = tuple(sorted(made_anew & {*stage.takes, *_looked_at(stage)} - wanted))
        wanted.update(stage.takes, _looked_at(stage))


def _looked_at(stage: HostThenDevice) -> set[int]:
    return {n for step in stage.host for n in uses(step)}
