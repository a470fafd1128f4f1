"""Infinities and NaN: whether there are any, and what made them of finite values."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..engine.op import Op
    from ..engine.tensor import Array
    from .events import Event

_LOGARITHMS = frozenset(("Log", "Log1p", "Xlogy", "Xlog1py", "Xlogx"))
_BOUNDED = frozenset(("Atanh", "Erfinv", "Ndtri", "Digamma"))
"""Ops that are infinite where their domain ends."""
_COMPUTED = frozenset(("op", "part", "gradient"))
_QUOTIENTS = frozenset(("RealDiv", "Reciprocal", "Inv", "Rsqrt", "FloorDiv", "FloorMod", "Div"))


def is_finite(array: Array | np.generic) -> bool:
    """Whether all numbers in an array or scalar are finite; other values are.

    The product of an array with itself is not finite if an element is not, and takes a fifth of the
    time of a look at each; where it overflows, the elements decide.
    """
    kind = array.dtype.kind
    if kind not in "fcV" or not array.size:
        return True
    if type(array) is np.ndarray and kind == "f" and array.itemsize > 2 and array.flags.forc:
        flat = array.reshape(-1, order="A")
        if isfinite(flat.dot(flat)):
            return True
    return bool(np.isfinite(array).all())


def of_data(array: Array | np.generic) -> str | None:
    """The birth of data from outside: "nan-input", "infinite-input" or None."""
    if is_finite(array):
        return None
    return "nan-input" if np.isnan(array).any() else "infinite-input"


def fault_of(op: Op, arrays: Sequence[Any], out: Array) -> str:
    """The cause of an infinity or NaN; "inherited" if an input of the op already had one."""
    is_nan = bool(np.isnan(out).any())
    given = [a for a in arrays if hasattr(a, "dtype") and not is_finite(a)]
    if any(np.isnan(a).any() for a in given):
        return "inherited"
    if given:
        return "inf-minus-inf" if is_nan else "inherited"
    if op.name in _LOGARITHMS:
        return "out-of-domain" if is_nan else "log-of-zero"
    if op.name in _QUOTIENTS and not all(np.all(a) for a in arrays):
        return "division-by-zero"
    if is_nan and any(isinstance(a, np.ndarray) and not a.size for a in arrays):
        return "division-by-zero"  # by the number of elements, as in the mean of nothing
    if op.name in ("Pow", "Raised") and _zero_to_negative(arrays):
        return "division-by-zero"
    return "out-of-domain" if is_nan or op.name in _BOUNDED else "overflow"


def _zero_to_negative(arrays: Sequence[Any]) -> bool:
    base, exponent = arrays
    return bool(np.any((np.asarray(base) == 0) & (np.asarray(exponent) < 0)))


def left_over(events: Iterable[Event]) -> Iterator[Event]:
    """The last results of a program that are not finite, one for each place, in their order.

    A result that an op took is not among them: a mask of infinities is meant, and whether what was
    made of it is finite shows later. A variable takes the value that it is given when it is read.
    """
    ends: dict[object, Event] = {}
    taken: set[int] = set()
    for event in reversed(list(events)):
        is_taken = event.seq in taken
        if is_taken or event.kind in _COMPUTED:
            taken.update(parent.seq for parent in event.parents)
        if not is_taken and event.fault and event.kind != "outside":
            ends[event.place] = event
    return reversed(ends.values())
