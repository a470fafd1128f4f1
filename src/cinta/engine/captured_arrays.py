"""Captured arrays: NumPy arrays that a function takes from outside and only hands to ops.

While the function is recorded, the conversion of such an array to a tensor is an op of its own. A
replay calls this op again, so it reads the array as it is then.
"""

from __future__ import annotations

import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import array_of
from .op import op, originate
from .recorders import observers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from .annotations import ArrayModule
    from .recorders import Observer
    from .tensor import Array, Tensor

_captured: dict[int, tuple[Observer, ...]] = {}
"""The recorders of functions that read an array at each call, by the array's identity."""

is_any_captured: Callable[[], bool] = _captured.__len__  # type: ignore[assignment]  # 0 or more


@op("ReadCapturedArray", effects=True)
def ReadCapturedArray(
    xp: ArrayModule, *, reference: Callable[[], Any], dtype: np.dtype[Any] | None
) -> Array:
    """The array as it is now, in memory that no other code writes to."""
    return array_of(reference(), dtype)


ReadCapturedArray.no_grad()


@contextmanager
def captured(arrays: Sequence[Array], observer: Observer) -> Iterator[None]:
    """Let the observer hear in the block when one of these arrays is converted to a tensor."""
    for array in arrays:
        _captured[id(array)] = (*_captured.get(id(array), ()), observer)
    try:
        yield
    finally:
        for array in arrays:
            rest = tuple([x for x in _captured[id(array)] if x is not observer])
            if rest:
                _captured[id(array)] = rest
            else:
                del _captured[id(array)]


def read_captured(value: object, dtype: np.dtype[Any] | None) -> Tensor | None:
    """A captured array as a tensor that the recording knows; None for any other value.

    Where others listen too, or nobody does, as in ``tf.init_scope`` or on another thread, it is
    not known what becomes of the tensor, and the recording cannot stand for the Python.
    """
    told = _captured.get(id(value))
    if told is None:
        return None
    if observers() == [*told]:
        for observer in told:
            observer.converts()
        read: Tensor = originate(ReadCapturedArray, reference=weakref.ref(value), dtype=dtype)
        return read
    for observer in told:
        observer.refuse("it converts a large array where a recording cannot follow it")
    return None
