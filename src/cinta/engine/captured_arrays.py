"""Captured arrays: NumPy arrays that a function takes from outside and only hands to ops.

While the function is recorded, the conversion of such an array to a tensor is an op of its own, and
so is that of a view of it. A replay calls this op again, so it reads the array as it is then.
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
    from .strided import Window
    from .tensor import Array, Tensor

_captured: dict[int, tuple[Array, tuple[Observer, ...]]] = {}
"""Arrays by their identity, and the recorders of functions that read them at each call."""

is_any_captured: Callable[[], bool] = _captured.__len__  # type: ignore[assignment]  # 0 or more


@op("ReadCapturedArray", effects=True)
def ReadCapturedArray(
    xp: ArrayModule,
    *,
    reference: Callable[[], Any],
    window: Window | None,
    dtype: np.dtype[Any] | None,
) -> Array:
    """The array as it is now, or what is seen of it, in memory that no other code writes to."""
    array = reference()
    return array_of(array if window is None else window.of(array), dtype)


ReadCapturedArray.no_grad()


@contextmanager
def captured(arrays: Sequence[Array], observer: Observer) -> Iterator[None]:
    """Let the observer hear in the block when one of these arrays is converted to a tensor."""
    for array in arrays:
        _, told = _captured.get(id(array), (array, ()))
        _captured[id(array)] = array, (*told, observer)
    try:
        yield
    finally:
        for array in arrays:
            _, told = _captured[id(array)]
            rest = tuple([x for x in told if x is not observer])
            if rest:
                _captured[id(array)] = array, rest
            else:
                del _captured[id(array)]


def read_captured(value: object, dtype: np.dtype[Any] | None) -> Tensor | None:
    """A captured array as a tensor that the recording knows; None for any other value.

    Where others listen too, or nobody does, as in ``tf.init_scope`` or on another thread, it is
    not known what becomes of the tensor, and the recording cannot stand for the Python.
    """
    found = _captured.get(id(value))
    if found is None:
        return _read_part(value, dtype) if type(value) is np.ndarray else None
    array, told = found
    if observers() == [*told]:
        for observer in told:
            observer.converts(part=False)
        return _read(array, None, dtype)
    for observer in told:
        observer.refuse("it converts a large array where a recording cannot follow it")
    return None


def _read_part(view: Array, dtype: np.dtype[Any] | None) -> Tensor | None:
    """A view of a captured array as a tensor, where all recorders expect one to be converted."""
    if view.base is None:
        return None
    from .strided import Window  # loaded when it is needed

    for array, told in list(_captured.values()):
        window = Window.between(view, array) if observers() == [*told] else None
        if window is not None and all([observer.converts(part=True) for observer in told]):
            return _read(array, window, dtype)
    return None


def _read(array: Array, window: Window | None, dtype: np.dtype[Any] | None) -> Tensor:
    read: Tensor = originate(
        ReadCapturedArray, reference=weakref.ref(array), window=window, dtype=dtype
    )
    return read
