"""Checks of sizes, such as those of arguments, that hold for all calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..replay.recording import Constant, Guard
from .sizes import filled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..replay.recording import Recording, Step
    from .sizes import Sizes

_MOST_SIZES = 8
_PROBES = [
    *[(1 << power,) * _MOST_SIZES for power in range(31)],
    *[tuple([1 << (power * (i + 3)) % 31 for i in range(_MOST_SIZES)]) for power in range(1, 31)],
]
"""Sizes at which a check is tried: what holds at all of them has no bound that can be exceeded."""


def always_holds(recording: Recording, guard: Guard) -> bool:
    """Whether a look finds the same in every call in which no dimension is empty.

    It must be at what comes of sizes alone: that is computed for many, up to the largest ones.
    """
    chain = of_sizes(guard.value, recording.steps)
    return chain is not None and all(_holds(guard, chain, sizes) for sizes in _PROBES)


def of_sizes(number: int, steps: Sequence[Step | Guard]) -> list[Step] | None:
    """The steps that make a value of nothing but constants, which may be formulas of sizes."""
    chain: list[Step] = []
    needed = {number}
    for step in reversed(steps):
        if isinstance(step, Guard) or needed.isdisjoint(step.outputs):
            continue
        if step.op.effects or step.op.sized_by_values or step.several:
            return None
        chain.append(step)
        needed.difference_update(step.outputs)
        needed.update(ref for ref in step.inputs if isinstance(ref, int))
    return None if needed else chain[::-1]


def value_at(number: int, chain: Sequence[Step], sizes: Sizes) -> Any:
    """The value that these steps make for such sizes."""
    values: dict[int, Any] = {}
    for step in chain:
        call = filled(step, sizes)
        given = [x.value if isinstance(x, Constant) else values[x] for x in call.inputs]
        with np.errstate(all="ignore"):
            values[step.outputs[0]] = call.op.run(*given, **call.attrs)
    return values[number]


def _holds(guard: Guard, chain: Sequence[Step], sizes: Sizes) -> bool:
    try:
        return guard.holds(guard.look(value_at(guard.value, chain, sizes)))
    except OverflowError:  # no tensor is that large
        return True
