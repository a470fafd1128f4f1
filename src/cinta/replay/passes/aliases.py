"""Steps that give back what they got, under another number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..recording import Constant
from .rewriting import Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..recording import Recording, Ref, Step
    from .rewriting import Makers

    Same = Callable[["Step", "Facts"], Sequence[Ref] | None]


class Facts:
    """Facts about the values of a recording."""

    def __init__(self, recording: Recording, row_major: bool) -> None:
        self.specs = recording.specs
        self.row_major = row_major
        self.makers: Makers = {}

    def alike(self, one: Ref, other: Ref) -> bool:
        """Whether two values have one dtype and one shape, in every call."""
        if not (isinstance(one, int) and isinstance(other, int)):
            return False
        return self.specs[one] == self.specs[other]

    def packed(self, ref: Ref) -> bool:
        """Whether a value was written into memory of its own, without gaps, by a step.

        A copy of it has the same strides then, on which the order of later sums depends.
        """
        if self.row_major:
            return True
        maker = self.makers.get(ref) if isinstance(ref, int) else None
        return maker is not None and maker.op.into is not None


def aliases(recording: Recording, row_major: bool = False) -> Rule:
    """The rule that leaves out steps that change nothing.

    A step may change how values lie in memory, unless all of them are in ``row_major`` order.
    """
    facts = Facts(recording, row_major)

    def find(step: Step, makers: Makers) -> Sequence[Ref] | None:
        facts.makers = makers
        return _SAME[step.op.name](step, facts)

    return Rule(find, _SAME)


def _its_input(step: Step, facts: Facts) -> Sequence[Ref]:
    return step.inputs


def _if_alike(step: Step, facts: Facts) -> Sequence[Ref] | None:
    return step.inputs if facts.alike(step.inputs[0], step.outputs[0]) else None


def _if_not_moved(step: Step, facts: Facts) -> Sequence[Ref] | None:
    perm = step.attrs["perm"]
    return step.inputs if perm == tuple(range(-len(perm), 0)) else None


def _told_results(step: Step, facts: Facts) -> Sequence[Ref]:
    inputs, results = step.attrs["counts"]
    return step.inputs[inputs : inputs + results]


def _first_power(step: Step, facts: Facts) -> Sequence[Ref] | None:
    x, y = step.inputs
    if isinstance(y, Constant) and type(y.value) in (int, float) and y.value == 1:
        return (x,)
    return None


def _by_one(step: Step, facts: Facts) -> Sequence[Ref] | None:
    x, y = step.inputs
    if step.op.name == "Mul" and isinstance(x, Constant):
        x, y = y, x
    if not isinstance(y, Constant) or not facts.packed(x) or not facts.alike(x, step.outputs[0]):
        return None
    # infinity times 1 + 0j is nan, so not for complex numbers
    real = facts.specs[step.outputs[0]].dtype.kind in "fiu"
    return (x,) if real and uniform(y.value, facts.row_major) == 1 else None


def _twice(step: Step, facts: Facts) -> Sequence[Ref] | None:
    (ref,) = step.inputs
    maker = facts.makers.get(ref) if isinstance(ref, int) else None
    if maker is None or maker.op is not step.op or not facts.packed(maker.inputs[0]):
        return None
    return maker.inputs


def uniform(value: object, whatever_strides: bool) -> object:
    """The number that all elements of a constant are, or None if there are others.

    An array of several axes with other strides than zeros may decide on those of a result.
    """
    if type(value) in (int, float) or isinstance(value, np.generic):
        return value
    if not isinstance(value, np.ndarray) or not value.size:
        return None
    first = value[(0,) * value.ndim]
    if value.size == 1 or not any(value.strides):
        return first
    if (whatever_strides or value.ndim == 1) and value.dtype.kind in "fiu":
        bits = np.dtype(f"u{value.dtype.itemsize}")
        return first if (value.view(bits) == first.view(bits)).all() else None
    return None


_SAME: dict[str, Same] = {
    "Identity": _its_input,
    "ReadVariableOp": _its_input,
    "StopGradient": _its_input,
    "ToldGradient": _told_results,
    "SumTo": _if_alike,
    "BroadcastTo": _if_alike,
    "Reshape": _if_alike,
    "Spread": _if_alike,
    "Transpose": _if_not_moved,
    "Pow": _first_power,
    "Raised": _first_power,
    "Mul": _by_one,
    "RealDiv": _by_one,
    "Neg": _twice,
}
"""For the names of ops what they give back, if they change nothing."""
