"""Inputs of a branch that only some of its sides use, such as the variables of a side.

The gradient of an input that all turns of a loop share is a sum over the turns that use it. A side
that does not use it gives zeros, so that all turns are alike.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...engine.op import op
from ...engine.recorders import next_number
from ...engine.tensor import wrap
from ..recording import Step
from .flows import flows_to
from .loop_ops import Branch

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ...engine.annotations import ArrayModule
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor
    from ..recording import Recording


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


def with_zeros(body: Recording) -> Recording:
    """The body with a gradient on both sides of a branch where one has it."""
    steps = [
        _alike(step) if isinstance(step, Step) and step.op is Branch else step
        for step in body.steps
    ]
    return replace(body, steps=tuple(steps))


def _alike(branch: Step) -> Step:
    """The branch with zeros for inputs, at those results that depend on them on the other side."""
    sides = [with_zeros(side) for side in branch.bodies]
    for place, lacking in enumerate(_lacking(branch)):
        sides = [
            _beside(side, side.inputs[place], results)
            for side, results in zip(sides, lacking, strict=True)
        ]
    return branch.with_bodies(sides)


def only_adds_zeros(body: Recording, shared: Collection[int]) -> bool:
    """Whether no rule multiplies the zeros by anything: they are for ``shared`` inputs alone."""
    for branch in body.calls:
        if branch.op is not Branch:
            continue
        refs = branch.inputs[1:]
        for side in branch.bodies:
            own = {n for n, ref in zip(side.inputs, refs, strict=True) if ref in shared}
            if not only_adds_zeros(side, own):
                return False
        for ref, lacking in zip(refs, _lacking(branch), strict=True):
            if any(lacking) and ref not in shared:
                return False
    return True


def _lacking(branch: Step) -> Iterator[tuple[set[int], set[int]]]:
    """For each input but the first, the results of each side from which gradients flow to it on the
    other side alone, by position."""
    for place in range(len(branch.inputs) - 1):
        one, other = [_dependent(side, side.inputs[place]) for side in branch.bodies]
        yield other - one, one - other


def _dependent(side: Recording, n: int) -> set[int]:
    """The results, by position, from which gradients flow to an input."""
    found = flows_to(n, side)
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
