"""Steps that compute what has been computed before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..recording import Constant
from .rewriting import substituted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..recording import Recording, Ref, Step


def without_repetitions(recording: Recording) -> Recording:
    """With every call of an op on the same values made once."""
    made: dict[Any, tuple[int, ...]] = {}

    def find(step: Step) -> Sequence[Ref] | None:
        if step.op.effects or not step.outputs:
            return None
        attrs = _same(tuple(step.attrs.items())) if step.attrs else ()
        inputs = tuple([ref if type(ref) is int else _same_ref(ref) for ref in step.inputs])
        key = step.op.name, inputs, attrs
        before = made.setdefault(key, step.outputs)
        return None if before is step.outputs else before

    return substituted(recording, find)


_SMALL = 1 << 10
"""Bytes up to which constant arrays are compared."""


def _same_ref(ref: Ref) -> object:
    """A key of a ref: equal for two just if both are one value."""
    return _same(ref.value) if isinstance(ref, Constant) else ref


def _same(value: object) -> object:
    """A key of a constant or attribute: equal for two just if both are the same.

    Numbers of two types are not, nor are zeros of two signs; of other objects each is its own.
    """
    if type(value) is tuple:
        return tuple(map(_same, value))
    if type(value) in (bool, int, float, complex, str, bytes, type(None)):
        return type(value), repr(value)
    if isinstance(value, np.generic):
        return value.dtype.str, value.tobytes()
    if type(value) is np.ndarray and value.nbytes <= _SMALL and not value.dtype.hasobject:
        return value.dtype, value.shape, value.strides, value.tobytes()
    if isinstance(value, np.dtype):
        return value
    return "is", id(value)
