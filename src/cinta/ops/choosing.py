"""Choosing between the elements of two arrays, by a condition or by their size.

NumPy's ``where`` jumps at each element. Where the condition follows no pattern, the processor
foresees only every other jump, and that takes ten times as long as to compute with all bits of both
arrays. And its ``maximum`` of an array and a number takes four times as long as its ``clip``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.parallel import blockwise

if TYPE_CHECKING:
    from ..engine.annotations import ArrayModule
    from ..engine.tensor import Array

_INTEGERS: dict[int, Any] = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
"""By how many bytes they have."""
# Elements from which on this is faster, and those of arrays that fill a core's cache.
_SOME, _LARGE = 1 << 11, 1 << 16


def chosen(xp: ArrayModule, condition: Array, x: Array | float, y: Array | float) -> Array:
    """x where the condition holds and y elsewhere; all three are broadcast."""
    if xp is not np or not _is_for_bits(condition):
        return xp.where(condition, x, y)
    dtype = np.result_type(x, y)
    integer = _INTEGERS.get(dtype.itemsize)
    if integer is None or dtype.hasobject:
        return np.where(condition, x, y)
    yes, no = [np.asarray(each, dtype).view(integer) for each in (x, y)]
    sign = condition.view(np.int8)
    if yes.shape == no.shape == sign.shape and sign.size >= _LARGE:
        yes, no, sign = [np.ascontiguousarray(each) for each in (yes, no, sign)]
        return blockwise(_chosen_bits, sign, yes, no, out=np.empty_like(yes)).view(dtype)
    result: Array = (((yes ^ no) & np.negative(sign, dtype=integer)) ^ no).view(dtype)
    return result


def kept(xp: ArrayModule, x: Array, keep: Array) -> Array:
    """x where it is to be kept, and 0 elsewhere, whatever x is there."""
    integer = _INTEGERS.get(x.dtype.itemsize)
    if xp is not np or not _is_for_bits(keep) or integer is None or x.dtype.hasobject:
        return xp.where(keep, x, x.dtype.type(0))[()]
    bits, sign = np.asarray(x).view(integer), keep.view(np.int8)
    if bits.shape == sign.shape and sign.size >= _LARGE:
        bits, sign = np.ascontiguousarray(bits), np.ascontiguousarray(sign)
        return blockwise(_kept_bits, sign, bits, out=np.empty_like(bits)).view(x.dtype)
    result: Array = (bits & np.negative(sign, dtype=integer)).view(x.dtype)
    return result


def positive(xp: ArrayModule, x: Array, out: Array | None = None) -> Array:
    """x where it is positive, and 0 elsewhere."""
    if _is_for_clip(x):
        return x.clip(0, np.inf, out=out)
    return np.maximum(x, 0, out=out) if xp is np else xp.maximum(x, 0)


def negative(xp: ArrayModule, x: Array) -> Array:
    """x where it is negative, and 0 elsewhere."""
    return x.clip(-np.inf, 0) if _is_for_clip(x) else xp.minimum(x, 0)


def between(xp: ArrayModule, x: Array, low: float, high: float) -> Array:
    """x where it is between two numbers, and the nearer of them elsewhere."""
    return x.clip(low, high) if _is_for_clip(x) else xp.minimum(xp.maximum(x, low), high)


def _is_for_clip(x: Array) -> bool:
    return type(x) is np.ndarray and x.dtype.char in "fd" and x.size >= _SOME


def _is_for_bits(condition: Array) -> bool:
    return type(condition) is np.ndarray and condition.dtype == bool and condition.size >= _SOME


def _chosen_bits(sign: Array, yes: Array, no: Array, out: Array) -> None:
    np.bitwise_xor(yes, no, out)
    out &= np.negative(sign, dtype=out.dtype)
    out ^= no


def _kept_bits(sign: Array, bits: Array, out: Array) -> None:
    np.negative(sign, out, dtype=out.dtype)
    out &= bits
