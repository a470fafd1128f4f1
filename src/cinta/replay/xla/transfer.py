"""Arrays on their way to the device and back.

On the processor an array of JAX and its NumPy view share their memory, so that fetching costs
nothing, and the view leads back to the array. A copy is remembered for as long as the NumPy array
lives. Such an array is closed to writing, which makes variables replace it where they would update
it in place.
"""

from __future__ import annotations

import weakref
from typing import Any

import jax
import numpy as np

from ...engine.device_values import fetchers
from ...errors import ResourceExhaustedError
from .shares import Common, Share

_WORTH = 1 << 15
"""Bytes from which on a copy on the device is kept at once, and not when it is sent again."""

_copies: dict[int, tuple[weakref.ref[Any], Any]] = {}
"""Arrays of JAX by the identity of the NumPy arrays that have the same values; None where a small
array was sent without being kept."""


def sent(array: object) -> object:
    """The array for a program: an array of JAX if there is one with these values."""
    found = _copies.get(id(array))
    if found is not None and found[1] is not None:
        return found[1]
    if type(array) is not np.ndarray:
        return sent(seen(array)) if type(array) in _OF_REPLICAS else array
    shown = _shown(array)
    if shown is not None:
        return shown
    if found is None and array.nbytes < _WORTH:
        _remember(array, None)
        return array
    array.flags.writeable = False
    copy = _device_put(array)
    _remember(array, copy)
    return copy


class Sender:
    """Sends what a program takes at one place, and remembers the number that was sent last."""

    def __init__(self) -> None:
        self._last: tuple[Any, Any] = None, None

    def __call__(self, value: object) -> object:
        last, copy = self._last
        if value is last and copy is not None:
            return copy
        if isinstance(value, np.generic):
            self._last = value, _device_put(value) if value is last else None
        return sent(value)


def _device_put(array: object) -> jax.Array:
    with jax.enable_x64(True):
        copy: jax.Array = jax.device_put(array, may_alias=False)
    return copy


def fetched(array: jax.Array) -> Any:
    """The array for the host; scalars are NumPy's."""
    try:
        view = np.asarray(array)
    except jax.errors.JaxRuntimeError as error:  # of what it is the result of
        raise in_words(error) from None
    if not view.ndim:
        return view[()]
    if view.nbytes >= _WORTH and _shown(view) is None:
        view = view.view()  # one that the array of JAX does not keep alive itself
        view.flags.writeable = False
        _remember(view, array)
    return view


OnDevice: type[jax.Array] = type(jax.device_put(np.zeros(())))
"""The class of what programs take and give."""

fetchers[OnDevice] = fetched


def seen(value: Any) -> Any:
    """The array for the host of what a program of all replicas has given."""
    try:
        return value.view()
    except jax.errors.JaxRuntimeError as error:  # of what it is the result of
        raise in_words(error) from None


_OF_REPLICAS = (Common, Share)
fetchers |= dict.fromkeys(_OF_REPLICAS, seen)


def in_words(error: jax.errors.JaxRuntimeError) -> Exception:
    """The error to raise for one of JAX."""
    told = str(error)
    return ResourceExhaustedError(told) if "RESOURCE_EXHAUSTED" in told else error


def _shown(view: Any) -> object:
    """The array of JAX whose memory a NumPy array shows, None if it shows none, or not all."""
    base = view.base
    owner = base.obj if type(base) is memoryview else None
    return owner if isinstance(owner, jax.Array) and owner.shape == view.shape else None


def _remember(array: object, copy: object) -> None:
    key = id(array)
    _copies[key] = weakref.ref(array, lambda _: _copies.pop(key, None)), copy
