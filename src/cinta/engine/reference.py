"""Reference: what stands for a tensor or variable where it must be hashable."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Reference(Generic[T]):
    """A hashable stand-in for a tensor or variable: equal exactly for the same object.

    References are in some order, so that dictionaries of them can be flattened.
    """

    __slots__ = ("__weakref__", "_object")

    def __init__(self, referred: T) -> None:
        self._object = referred

    def deref(self) -> T:
        """The object that this reference stands for."""
        return self._object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._object is other._object

    def __lt__(self, other: Reference[Any]) -> bool:
        if not isinstance(other, Reference):
            raise TypeError(f"Cannot compare wrapped object with unwrapped object, {other!r}.")
        return id(self._object) < id(other._object)

    def __hash__(self) -> int:
        return id(self._object)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._object!r}>"
