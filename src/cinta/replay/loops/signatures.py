"""Signatures of steps (op, dtypes, shapes, attributes): equal where one step of a loop may serve.

Whole numbers in attributes are left out, as they may grow from turn to turn, and so are references.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..recording import Guard, Spec

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..recording import Constant, Recording, Step


def signatures(recording: Recording, may_fold: Callable[[Step], bool]) -> list[int]:
    """A number for each step, which it shares with those like it; some can be like no other."""
    known: dict[Any, int] = {}
    specs: dict[Any, int] = {}
    kinds = {n: specs.setdefault(spec, len(specs)) for n, spec in recording.specs.items()}

    def kind_of_constant(ref: Constant) -> Any:
        if isinstance(ref.value, (np.ndarray, np.generic)):
            return specs.setdefault(Spec(ref.value.dtype, ref.value.shape), len(specs))
        return type(ref.value)

    alone = count(-1, -1)
    codes = []
    for step in recording.steps:
        if isinstance(step, Guard) or step.op.effects or not may_fold(step):
            codes.append(next(alone))
            continue
        key = (
            id(step.op),
            step.several,
            tuple(
                [
                    kinds[ref] if isinstance(ref, int) else kind_of_constant(ref)
                    for ref in step.inputs
                ]
            ),
            tuple([_outline(value) for value in step.attrs.values()]) if step.attrs else (),
            tuple([kinds[n] for n in step.outputs]),
        )
        codes.append(known.setdefault(key, len(known)))
    return codes


def _outline(value: Any) -> Any:
    """An attribute without its whole numbers."""
    if type(value) is int:
        return int
    if type(value) is tuple:
        return tuple([_outline(part) for part in value])
    if type(value) in (bool, str, float, type(None)):
        return value
    return type(value)
