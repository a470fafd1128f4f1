"""Signatures of steps (op, dtypes, shapes, attributes): equal where one step of a loop may serve.

Whole numbers in attributes are left out, as they may grow from turn to turn, and so are references.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from ..recording import Constant, Guard, Spec
from .loop_ops import Expected

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..recording import Recording, Step


def signatures(recording: Recording, may_fold: Callable[[Step], bool]) -> list[int]:
    """A number for each step, which it shares with those like it; some can be like no other.

    ``may_fold`` says which may not: it looks at nothing but the signature of a step.
    """
    known: dict[Any, int] = {}
    specs: dict[Any, int] = {}
    each = {id(spec): spec for spec in recording.specs.values()}  # many values share theirs
    of_each = {i: specs.setdefault(spec, len(specs)) for i, spec in each.items()}
    kinds = {n: of_each[id(spec)] for n, spec in recording.specs.items()}

    constants: dict[int, object] = {}

    def kind_of_constant(ref: Constant) -> object:
        value = ref.value
        kind = constants.get(id(value))
        if kind is None:
            kind = type(value)
            if isinstance(value, (np.ndarray, np.generic)):
                kind = specs.setdefault(Spec(value.dtype, value.shape), len(specs))
            constants[id(value)] = kind
        return kind

    alone = count(-1, -1)
    codes = []
    for step in recording.steps:
        if type(step) is Guard or (step.op.effects and step.op is not Expected):
            codes.append(next(alone))
            continue
        op, refs, attrs, outputs, several, _ = step
        key = (
            id(op),
            several,
            tuple([kind_of_constant(ref) if type(ref) is Constant else kinds[ref] for ref in refs]),
            tuple([_outline(value) for value in attrs.values()]) if attrs else (),
            tuple([kinds[n] for n in outputs]) if several else kinds[outputs[0]],
        )
        code = known.get(key)
        if code is None:
            code = known[key] = len(known) if may_fold(step) else -1
        codes.append(code if code >= 0 else next(alone))
    return codes


def _outline(value: object) -> object:
    """An attribute without its whole numbers."""
    if type(value) is int:
        return int
    if type(value) is tuple:
        return tuple([_outline(part) for part in value])
    if type(value) in (bool, str, float, type(None)):
        return value
    return type(value)
