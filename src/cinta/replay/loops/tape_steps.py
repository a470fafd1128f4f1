"""The use of tapes in a function, as steps of a recording.

A gradient is a row of steps, which rules take: for a loop some for each of its turns. On the way of
a function *with tapes as steps*, one step stands for all these. It and those that tell which tapes
record are not run: ``written_out`` puts what the rules do in their places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.op import op

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array


@op("TapeStarts", effects=True)
def TapeStarts(xp: ArrayModule, *, tape: int, watches: bool) -> tuple[Array, ...]:
    """The tape of this number records from here on, and watches variables, or does not."""
    raise NotImplementedError


@op("TapeStops", effects=True)
def TapeStops(xp: ArrayModule, *, tape: int) -> tuple[Array, ...]:
    """It does not record from here on."""
    raise NotImplementedError


@op("TapeWatches", effects=True)
def TapeWatches(xp: ArrayModule, value: Array, *, tape: int) -> tuple[Array, ...]:
    """It watches this value."""
    raise NotImplementedError


@op("TapeGradient", effects=True)
def TapeGradient(
    xp: ArrayModule, *values: Array, tape: int, targets: int, keep: bool, has: tuple[bool, ...]
) -> tuple[Array, ...]:
    """The gradients of values that a tape has recorded.

    The inputs are the targets, the gradients that arrive there, and the sources. ``has`` tells
    which of the sources have a gradient; these are the results.
    """
    raise NotImplementedError
