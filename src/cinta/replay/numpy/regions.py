"""Regions: steps that work element by element on large values of one shape, taken together.

Of the steps between the first and the last of a region, those that need nothing of it come before,
and the others after; nothing is moved past a guard or an effect.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

from ...engine.parallel import LARGE, SLOW
from ..recording import Guard, Recording, Step, uses
from .compiled_chains import MOST_STEPS, are_compiled, takes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...engine.shapes import Shape

    ShapeOf = Callable[[Step | Guard], Shape | None]

_MOST_BETWEEN = 64
"""So many others may stand between two steps of a region; it bounds the time of the search."""
_MOST_BETWEEN_SMALL = 16
"""The same for steps on few numbers, of which there may be thousands, and which gain less."""

POINTWISE = frozenset(
    {
        *("Softplus", "SoftplusGrad", "SigmoidSlope"),
        *("Relu6", "Relu6Grad", "LeakyRelu", "LeakyReluGrad"),
        *("Elu", "Selu", "SeluSlope", "Silu", "SiluSlope", "TanhGelu", "Softsign"),
        *("Rsqrt", "Reciprocal", "SquaredDifference", "Pow", "Raised", "SelectV2"),
    }
)
"""Ops that take each element by itself, and look at no other to choose how; beside those that can
write into an array that they are given."""


def with_regions(recording: Recording) -> list[Step | Guard | Recording]:
    """The steps in an order that is as good, those that belong together as recordings.

    One step alone is worth it if it takes long: then threads share it. Steps on few numbers are
    if they can be compiled.
    """
    if recording.largest < LARGE and not are_compiled():
        return list(recording.steps)
    ends = set(recording.ends)

    def shape_of(step: Step | Guard) -> Shape | None:
        """The shape that a region of this step has, if it can be part of one."""
        if isinstance(step, Guard) or step.several:
            return None
        spec = recording.specs[step.outputs[0]]
        if not step.op.elementwise or spec.dtype.kind == "O":
            return None
        if math.prod(spec.shape) < LARGE:
            return spec.shape if spec.shape and takes(step, recording.specs) else None
        return spec.shape if step.op.into or step.op.name in POINTWISE else None

    groups = _grouped(recording.steps, shape_of)
    users: dict[int, set[int]] = {}
    for position, steps in enumerate(groups):
        for n in [n for step in steps for n in uses(step)]:
            users.setdefault(n, set()).add(position)

    def item(position: int, steps: Sequence[Step | Guard]) -> Step | Guard | Recording:
        first = steps[0]
        shape = shape_of(first)
        if isinstance(first, Guard) or shape is None:
            return first
        if len(steps) == 1 and (math.prod(shape) < LARGE or first.op.run not in SLOW):
            return first
        made = dict.fromkeys(n for step in steps if isinstance(step, Step) for n in step.outputs)
        taken = dict.fromkeys(n for step in steps for n in uses(step))
        return replace(
            recording,
            inputs=tuple([n for n in taken if n not in made]),
            reads=(),
            steps=tuple(steps),
            results=tuple([n for n in made if n in ends or users.get(n, set()) - {position}]),
            assigns=(),
        )

    return [item(position, steps) for position, steps in enumerate(groups)]


def _grouped(steps: Iterable[Step | Guard], shape_of: ShapeOf) -> list[Sequence[Step | Guard]]:
    """The steps by regions; what is in none stands alone."""
    groups: list[Sequence[Step | Guard]] = []
    waiting = deque(steps)
    while waiting:
        first = waiting.popleft()
        shape = shape_of(first)
        if isinstance(first, Guard) or shape is None:
            groups.append([first])
        else:
            most = _MOST_BETWEEN if math.prod(shape) >= LARGE else _MOST_BETWEEN_SMALL
            before, region = _grown(first, waiting, partial(_has_shape, shape_of, shape), most)
            groups += [*_grouped(before, shape_of), region]
    return groups


def _has_shape(shape_of: ShapeOf, shape: Shape, step: Step | Guard) -> bool:
    return shape_of(step) == shape


def _grown(
    first: Step, waiting: deque[Step | Guard], belongs: Callable[[Step | Guard], bool], most: int
) -> tuple[list[Step], list[Step]]:
    """The steps before the region of this step, and the region; the rest waits on."""
    scanned: list[tuple[_Role, Step]] = [(_Role.IN, first)]
    made, later = set(first.outputs), set[int]()
    between = 0
    steps = 1
    while waiting and between < most and steps < MOST_STEPS:
        step = waiting[0]
        if isinstance(step, Guard) or step.op.effects:
            break
        waiting.popleft()
        between += 1
        role = _Role.AFTER
        if later.isdisjoint(uses(step)):
            if belongs(step):
                role, between, steps = _Role.IN, 0, steps + 1
                made.update(step.outputs)
            elif made.isdisjoint(uses(step)):
                role = _Role.BEFORE
        if role is _Role.AFTER:
            later.update(step.outputs)
        scanned.append((role, step))
    while scanned[-1][0] is not _Role.IN:  # nothing passes these: they stay where they are
        waiting.appendleft(scanned.pop()[1])
    waiting.extendleft([step for role, step in reversed(scanned) if role is _Role.AFTER])
    before = [step for role, step in scanned if role is _Role.BEFORE]
    return before, [step for role, step in scanned if role is _Role.IN]


class _Role(Enum):
    """Where a step goes when a region is taken together."""

    BEFORE, IN, AFTER = range(3)
