"""Steps that compute what has been computed before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..recording import Constant
from .rewriting import Rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..recording import Ref, Step
    from .rewriting import Makers


def repetitions() -> Rule:
    """The rule that makes every call of an op on the same values once."""
    made: dict[Any, tuple[int, ...]] = {}
    known: dict[int, tuple[object, object]] = {}

    def key(value: object) -> object:
        """Made once for each object, which stays: no other shall get its identity."""
        found = known.get(id(value))
        if found is None:
            found = known[id(value)] = value, _key(value)
        return found[1]

    def find(step: Step, makers: Makers) -> Sequence[Ref] | None:
        op, refs, attrs, outputs, _, _ = step
        if op.effects or not outputs:
            return None
        inputs = tuple([key(ref.value) if type(ref) is Constant else ref for ref in refs])
        call: tuple[object, ...] = op.name, inputs
        if attrs:
            call = *call, *[(name, key(value)) for name, value in attrs.items()]
        before = made.setdefault(call, outputs)
        return None if before is outputs else before

    return Rule(find)


_SMALL = 1 << 10
"""Bytes up to which constant arrays are compared."""


def _key(value: object) -> object:
    """A key of a constant or attribute: equal for two just if both are the same.

    Numbers of two types are not, nor are zeros of two signs; of other objects each is its own.
    """
    if type(value) is tuple:
        return tuple(map(_key, value))
    if type(value) in (bool, int, float, complex, str, bytes, type(None)):
        return type(value), repr(value)
    if isinstance(value, np.generic):
        return value.dtype.str, value.tobytes()
    if type(value) is np.ndarray and value.nbytes <= _SMALL and not value.dtype.hasobject:
        return value.dtype, value.shape, value.strides, value.tobytes()
    if isinstance(value, np.dtype):
        return value
    return "is", id(value)
