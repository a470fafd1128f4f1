"""Inputs of a loop that only some sides of its branches use, such as the variables of a side.

The gradient of an input that all turns share is a sum over the turns that use it. A side that does
not use it gives zeros, so that all turns are alike. Whether any turn has used it is known from the
sides that were taken (`flows.Sides`); if none has, there is no gradient.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...engine.op import op
from ...engine.recorders import next_number
from ...engine.tensor import wrap
from ...ops.elementwise.comparison import LogicalNot, LogicalOr
from ..recording import Step
from .flows import TRUTH, flows_from
from .loop_ops import Branch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.op import Op
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor
    from ..recording import Recording
    from .flows import Sides


@op("Beside", elementwise=True)
def Beside(xp: ArrayModule, value: Array, other: Array) -> Array:
    """The first value, which has a gradient for the other one: zeros."""
    return value


def _zeros(
    g: Tensor, value_shape: Shape, other_shape: Shape, other_dtype: np.dtype[np.generic]
) -> Tensor:
    lead = g._array.shape[: g._array.ndim - len(value_shape)]
    return wrap(np.zeros((*lead, *other_shape), other_dtype))


Beside.grads(value=lambda g: g, other=_zeros)


def with_zeros(body: Recording, shared: Collection[int]) -> Recording:
    """The body of a loop, with a gradient on both sides of a branch where one has it.

    That is for ``shared`` inputs. No rule in the loop multiplies these zeros by anything.
    """
    steps = [
        _alike(step, shared) if isinstance(step, Step) and step.op is Branch else step
        for step in body.steps
    ]
    return replace(body, steps=tuple(steps))


def _alike(branch: Step, shared: Collection[int]) -> Step:
    """The branch with zeros for inputs, at those results that depend on them on the other side."""
    sides = branch.bodies
    for place, ref in enumerate(branch.inputs[1:]):
        if ref in shared:
            one, other = [_dependent(side, side.inputs[place]) for side in sides]
            sides = [
                _beside(side, side.inputs[place], results)
                for side, results in zip(sides, (other - one, one - other), strict=True)
            ]
    return branch.with_bodies(sides)


def _dependent(side: Recording, n: int) -> set[int]:
    """The results, by position, from which gradients flow to an input."""
    found = flows_from(side, {n}, on_each=False)
    return {i for i, ref in enumerate(side.results) if ref in found}


def _beside(side: Recording, n: int, at: Collection[int]) -> Recording:
    """The side with gradients from results at these positions to an input, which are zeros."""
    if not at:
        return side
    steps, specs, results = [*side.steps], dict(side.specs), [*side.results]
    for i in at:
        number = next_number()
        specs[number] = side.spec_of(results[i])
        steps.append(Step(Beside, (results[i], n), {}, (number,), False))
        results[i] = number
    return replace(side, steps=tuple(steps), specs=specs, results=tuple(results))


def with_flags(turn: Recording, sides: Sequence[Sides], place: int) -> Recording:
    """The body with flags among what it carries, from this place on: whether a side was taken."""
    flags = [next_number() for _ in sides]
    steps, specs, results = [*turn.steps], dict(turn.specs), []
    specs |= dict.fromkeys(flags, TRUTH)

    def called(op: Op, *inputs: int) -> int:
        number = next_number()
        specs[number] = TRUTH
        steps.append(Step(op, inputs, {}, (number,), False))
        return number

    for flag, group in zip(flags, sides, strict=True):
        for n, taken in sorted(group):
            flag = called(LogicalOr, flag, n if taken else called(LogicalNot, n))
        results.append(flag)
    return replace(
        turn,
        inputs=(*turn.inputs[:place], *flags, *turn.inputs[place:]),
        steps=tuple(steps),
        specs=specs,
        results=(*turn.results[:place], *results, *turn.results[place:]),
    )
