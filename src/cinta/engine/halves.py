"""Numbers in half precision as float32 and back, where NumPy takes long.

It converts float16 number by number, in ten times what a copy takes. Compiled functions take what
a copy takes. Without them blocks of numbers are converted by operations on their bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import bfloat16
from .c_kernels import FLOAT16, FLOAT32, compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tensor import Array

_FEW, _BLOCK = 1 << 8, 1 << 14
"""Elements that NumPy converts as fast, and those that a core's cache holds several times."""


def converted(x: Array, dtype: np.dtype[Any]) -> Array:
    """The same as ``x.astype(dtype, copy=False)``."""
    if type(x) is np.ndarray and x.size > _FEW and x.dtype is not dtype:
        if x.dtype is FLOAT16 and dtype is FLOAT32:
            return _from_float16(x)
        if x.dtype is FLOAT32 and dtype is FLOAT16:
            return _to_float16(x)
        if dtype.kind == "V" and dtype is bfloat16.dtype and x.dtype is FLOAT32 and _to_bfloat16:
            return _to_bfloat16(x).view(dtype)
    return x.astype(dtype, copy=False)


def by_blocks(convert: Callable[[Array, Array], None], dtype: np.dtype[Any]) -> Any:
    """A function of arrays, from one that writes a block of numbers into another."""

    def whole(x: Array) -> Array:
        out = np.empty(x.shape, dtype)
        given, made = x.reshape(-1), out.reshape(-1)
        for start in range(0, x.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            convert(given[part], made[part])
        return out

    return whole


def widen(x: Array, out: Array) -> None:
    """Bits are moved to their places in a float32, in which exponents are larger by 112."""
    bits, wide = x.view(np.uint16), out.view(np.int32)
    if (bits & 0x7C00).max() == 0x7C00:  # infinity or NaN
        out[...] = x
        return
    wide[...] = x.view(np.int16)
    wide <<= 13
    wide &= -0x70002000  # without the copies of the sign
    out *= np.float32(2.0**112)


def narrow(x: Array, out: Array) -> None:
    """A number is added whose last digit is the last one of the float16: so the sum is rounded."""
    bits = x.view(np.uint32)
    size = bits & 0x7FFFFFFF
    if size.max() >= 0x47800000:  # 2^16, infinity or NaN
        out[...] = x
        return
    exponent = size & 0x7F800000
    np.maximum(exponent, 0x38800000, out=exponent)  # 2^-14, the smallest that is normal
    sums = (exponent + 0x06800000).view(np.float32)
    sums += size.view(np.float32)
    exponent -= 0x38800000
    exponent >>= 13
    half = sums.view(np.uint32)
    half &= 0x7FFFFF
    half += exponent
    np.right_shift(bits, 16, out=size)
    size &= 0x8000
    half |= size
    out.view(np.uint16)[...] = half


_from_float16 = compiled("from_float16") or by_blocks(widen, FLOAT32)
_to_float16 = compiled("to_float16") or by_blocks(narrow, FLOAT16)
_to_bfloat16 = compiled("to_bfloat16")
