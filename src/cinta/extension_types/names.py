"""The names by which files know extension types: what their classes say by ``__name__ = "..."``."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from .extension_type import ExtensionType

_BY_NAME: WeakValueDictionary[str, type[ExtensionType]] = WeakValueDictionary()


def note(kind: type[ExtensionType]) -> None:
    """Let the class be found by its name if it says one; the last one of a name counts."""
    name = vars(kind).get("__name__")
    if isinstance(name, str):
        _BY_NAME[name] = kind


def name_of(kind: type[ExtensionType]) -> str | None:
    """The name of the class in files; None if it says none."""
    name = vars(kind).get("__name__")
    return name if isinstance(name, str) else None


def class_of(name: str) -> type[ExtensionType] | None:
    """The class of this name, None if there is none now."""
    return _BY_NAME.get(name)
