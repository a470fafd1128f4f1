"""What modules show of themselves where names are completed."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_PACKAGE = __name__.partition(".")[0]
_FACE = "The names of tf."


def only_public(
    names: dict[str, Any],
    *,
    also: Sequence[str] = (),
    without: Sequence[str] = (),
    origins: Sequence[str] = (),
) -> Callable[[], list[str]]:
    """The ``__dir__`` of a module with these names: without what it is made of and imports.

    ``also`` are names that belong to it all the same, ``without`` those that do not, ``origins``
    packages whose names do.

    >>> import cinta as tf
    >>> "read_file" in dir(tf.io), "decoding" in dir(tf.io)
    (True, False)
    """

    ours = (_PACKAGE, *origins)

    def shown() -> list[str]:
        found = {name for name, value in names.items() if _is_public(name, value, ours)}
        return sorted((found | {*also}) - {*without})

    return shown


def _is_public(name: str, value: Any, ours: Sequence[str]) -> bool:
    if name.startswith("_") or name == "TYPE_CHECKING" or isinstance(value, TypeVar):
        return False
    if isinstance(value, ModuleType):
        return (value.__doc__ or "").startswith(_FACE)
    origin = getattr(value, "__module__", None)  # which constants do not have
    return not isinstance(origin, str) or origin.partition(".")[0] in ours
