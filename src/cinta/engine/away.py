"""Values that have stayed on a device, where they are computed while Python goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]
    from .shapes import Shape


class Away:
    """A value on a device: as it is known there, and how to fetch it."""

    __slots__ = ("array", "fetch")

    def __init__(self, array: Any, fetch: Callable[[Any], Array]) -> None:
        self.array, self.fetch = array, fetch

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype, as NumPy's."""
        return self.array.dtype  # type: ignore[no-any-return]

    @property
    def shape(self) -> Shape:
        """The length of every axis."""
        return self.array.shape  # type: ignore[no-any-return]


def here(value: Held) -> np.ndarray[Any, Any]:
    """The array, fetched if it is away."""
    return value.fetch(value.array) if isinstance(value, Away) else value


Held: TypeAlias = "np.ndarray[Any, Any] | Away"
"""A value, wherever it is."""
