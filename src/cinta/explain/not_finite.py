"""Infinities and NaN: whether there are any, and what made them of finite values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.op import Op

_LOGARITHMS = frozenset(("Log", "Log1p", "Xlogy", "Xlog1py", "Xlogx"))
_QUOTIENTS = frozenset(("RealDiv", "Reciprocal", "Inv", "Rsqrt", "FloorDiv", "FloorMod", "Div"))
_SUMS = frozenset(("Add", "AddV2", "Sub", "Sum", "AddN", "Mean", "MatMul", "BatchMatMulV2", "Cumsum"))


def is_finite(array: Any) -> bool:
    """Whether all numbers in an array or scalar are finite; other values are.

    A sum is not finite if an element is not, and takes half the time of a look at each; where it
    overflows, the elements decide.
    """
    kind = array.dtype.kind
    if kind not in "fcV" or not array.size:
        return True
    if kind == "V":
        return bool(np.isfinite(array).all())
    if type(array) is np.ndarray:
        with np.errstate(all="ignore"):
            total = np.add.reduce(array, axis=None)
        return bool(total - total == 0) or bool(np.isfinite(array).all())
    return bool(array - array == 0)


def _finite(value: Any) -> bool:
    return is_finite(np.asarray(value))


def birth(op: Op, arrays: Sequence[Any], inputs: Sequence[Any], out: Any) -> str:
    """What made an infinity or NaN; "inherited" if an input of the op had one already."""
    for array, event in zip(arrays, inputs, strict=True):
        if hasattr(array, "dtype") and not is_finite(array):
            if event is not None and getattr(event, "birth", None) == "nan-input":
                return "nan-input"
            if op.name in _SUMS and np.isnan(out).any() and not np.isnan(array).any():
                return "inf-minus-inf" if _has_no_nan(arrays) else "inherited"
            return "inherited"
    is_nan = bool(np.isnan(out).any())
    if op.name in _LOGARITHMS:
        return "out-of-domain" if is_nan else "log-of-zero"
    if op.name in _QUOTIENTS and not all(np.all(a) for a in arrays if hasattr(a, "dtype")):
        return "division-by-zero"
    if op.name == "Pow" and _zero_to_negative(arrays):
        return "division-by-zero"
    return "out-of-domain" if is_nan else "overflow"


def _has_no_nan(arrays: Sequence[Any]) -> bool:
    return not any(np.isnan(a).any() for a in arrays if hasattr(a, "dtype") and a.dtype.kind in "fc")


def _zero_to_negative(arrays: Sequence[Any]) -> bool:
    base, exponent = arrays
    return bool(np.any((np.asarray(base) == 0) & (np.asarray(exponent) < 0)))
