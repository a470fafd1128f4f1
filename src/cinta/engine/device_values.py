"""Values on a device, which computes them while Python goes on.

Such a value is what the engine of the device makes of it; ``fetchers`` knows it by its type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from .shapes import Shape


class DeviceValue(Protocol):
    """A value on a device."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, as NumPy's."""

    @property
    def shape(self) -> Shape:
        """The length of every axis."""


Held: TypeAlias = "np.ndarray[Any, Any] | DeviceValue"
"""A value, wherever it is."""

fetchers: dict[type, Callable[[Any], np.ndarray[Any, Any]]] = {}
"""Functions that fetch values of a type from a device; engines with a device enter their own."""


def on_host(value: Held) -> np.ndarray[Any, Any]:
    """The array, fetched if it is on a device."""
    fetch = fetchers.get(type(value))
    return value if fetch is None else fetch(value)  # type: ignore[return-value]


def is_on_device(value: object) -> bool:
    """Whether a value is on a device."""
    return type(value) in fetchers
