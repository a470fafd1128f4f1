"""Values that are sums of products of sizes: formulas can say them for any sizes.

A function that is recorded for unknown dimensions is recorded at some sizes, and what varies
between the recordings is fitted by polynomials of the sizes. That is right for
`tf.shape(x)[0] * 2`, which is one. It would be wrong for `tf.minimum(tf.shape(x)[0], 100)`, which
is one at small sizes alone; so that is a step, which is computed in each call.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .recording import Constant, Guard, Step

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from ..engine.op import Op
    from .recording import Recording, Ref

_OF_SIZES = ("Shape", "Size")
_POLYNOMIAL = ("AddV2", "Cast", "Mul", "Neg", "Prod", "Sub", "Sum")
"""Ops that make sums of products of such sums."""


def is_size_sum(op: Op, refs: Sequence[Ref], known: Container[int]) -> bool:
    """Whether an op gives such values, if those of ``known`` are such."""
    if op.name in _OF_SIZES:
        return True
    values = [ref for ref in refs if isinstance(ref, int)]
    return (op.moves or op.name in _POLYNOMIAL) and bool(values) and all(v in known for v in values)


def as_constants(recording: Recording) -> Recording:
    """The recording with such values as constants, which those at other sizes can be compared to.

    A value that a guard looks at stays a step.
    """
    known: dict[int, Any] = {}
    looked_at = {guard.value for guard in recording.guards}

    def filled(ref: Ref) -> Ref:
        return Constant(known[ref]) if isinstance(ref, int) and ref in known else ref

    steps: list[Step | Guard] = []
    for step in recording.steps:
        if isinstance(step, Step):
            if not step.several and is_size_sum(step.op, step.inputs, known):
                number = step.outputs[0]
                known[number] = _value(step, recording, known)
                if number not in looked_at:
                    continue
            step = step.taking(tuple(map(filled, step.inputs)))
        steps.append(step)
    results = tuple(map(filled, recording.results))
    assigns = tuple([(variable, filled(ref)) for variable, ref in recording.assigns])
    return replace(recording, steps=tuple(steps), results=results, assigns=assigns)


def _value(step: Step, recording: Recording, known: dict[int, Any]) -> Any:
    if step.op.name in _OF_SIZES:
        ref = step.inputs[0]
        shape = recording.specs[ref].shape if isinstance(ref, int) else np.shape(ref.value)
        return step.op.run(np.broadcast_to(0, shape), **step.attrs)
    given = [known[ref] if isinstance(ref, int) else ref.value for ref in step.inputs]
    return step.op.run(*given, **step.attrs)
