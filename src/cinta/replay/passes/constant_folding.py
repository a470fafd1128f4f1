"""Steps on nothing but constants, and constants in the form that is cheapest to compute with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..recording import Constant, Spec
from .aliases import uniform
from .rewriting import Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..recording import Recording, Ref, Step
    from .rewriting import Makers

_MOST_BYTES = 1 << 16
"""Larger results are computed again in each call rather than kept."""
_EXACT = 1 << 24
"""Whole numbers up to this one are exact in single precision."""


def constants(recording: Recording) -> Rule:
    """The rule that puts the results of steps on constants in place of these steps."""

    def find(step: Step, makers: Makers) -> Sequence[Ref] | None:
        given = []
        for ref in step.inputs:
            if type(ref) is Constant:
                given.append(ref.value)
            elif step.op.name != "ZerosLike":
                return None
        if step.op.effects:
            return None
        specs = [recording.specs[n] for n in step.outputs]
        if sum(spec.nbytes for spec in specs) > _MOST_BYTES:
            return None
        if step.op.name == "ZerosLike":
            return (Constant(np.zeros(specs[0].shape, specs[0].dtype)[()]),)
        return _results(step, given)

    return Rule(find)


def _results(step: Step, given: Sequence[Any]) -> Sequence[Ref] | None:
    try:
        out = step.op.run(*given, **step.attrs)
    except Exception:  # it is for the call to raise it, each time
        return None
    return [Constant(part) for part in (out if step.several else (out,))]


def plain_constants(recording: Recording, row_major: bool = False) -> Rule:
    """The rule that puts one number in place of an array of equal ones, and of the dtype it gets.

    Only where ops of arithmetic take it together with a value of the result's shape and dtype: then
    the result is the same. ``row_major`` as for ``aliases``.
    """

    known: dict[tuple[int, int], tuple[object, Constant]] = {}

    def plain_form(ref: Constant, spec: Spec) -> Constant:
        """Found once for each value, which stays: no other shall get its identity."""
        key = id(ref.value), id(spec)
        if key not in known:
            known[key] = ref.value, _plain(ref, spec, row_major)
        return known[key][1]

    def find(step: Step, makers: Makers) -> Step | None:
        x, y = step.inputs
        spec = recording.specs[step.outputs[0]]
        if type(x) is Constant:
            if type(y) is Constant or recording.specs[y] != spec:
                return None
            return step.taking((plain_form(x, spec), y))
        if type(y) is Constant and recording.specs[x] == spec:
            return step.taking((x, plain_form(y, spec)))
        return None

    return Rule(find, _ARITHMETIC)


_ARITHMETIC = frozenset({"AddV2", "Sub", "Mul", "RealDiv"})


def _plain(ref: Constant, spec: Spec, row_major: bool) -> Constant:
    if spec.dtype.char not in "fd":
        return ref
    value: Any = uniform(ref.value, row_major)
    if value is None or (type(value) is int and abs(value) > _EXACT):
        return ref
    if type(value) not in (int, float) and value.dtype != spec.dtype:
        return ref
    return Constant(spec.dtype.type(value))
