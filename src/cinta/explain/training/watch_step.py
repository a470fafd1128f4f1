"""The op by which a watched function tells of its steps, each time that it is replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.op import op

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array


@op("WatchStep", effects=True)
def WatchStep(xp: ArrayModule, *values: Array, told: Callable[..., None]) -> tuple[()]:
    """Have the values of a step of a training noted."""
    told(*values)
    return ()


WatchStep.no_grad()
