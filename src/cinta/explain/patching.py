"""Methods that are patched for a while, and put back in any order."""

from __future__ import annotations

import functools
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Make = Callable[[Any], Any]
    Patch = tuple[Any, str, Make]
    """An owner, the name of its method, and a function from the plain one to its wrapper."""


@dataclass
class _PatchedMethod:
    """A method with patches: the plain one, and what makes its wrappers, the inner first."""

    plain: Any
    makers: list[Make] = field(default_factory=list)

    def wrapped(self) -> Any:
        """The method in all its wrappers, of the kind that it is."""
        if isinstance(self.plain, classmethod):
            return classmethod(self._wrapped(self.plain.__func__))
        return self._wrapped(self.plain)

    def _wrapped(self, found: Any) -> Any:
        for make in self.makers:
            found = functools.wraps(found)(make(found))
        return found


_patched: dict[tuple[Any, str], _PatchedMethod] = {}


@contextmanager
def patched(patches: Iterable[Patch]) -> Iterator[None]:
    """Wrap methods in the block."""
    mine: list[tuple[Any, str, Make]] = []
    try:
        for holder, name, make in patches:
            kinds = holder.__mro__ if isinstance(holder, type) else (holder,)
            owner = next(kind for kind in kinds if name in vars(kind))
            found = _patched.setdefault((owner, name), _PatchedMethod(vars(owner)[name]))
            found.makers.append(make)
            mine.append((owner, name, make))
            setattr(owner, name, found.wrapped())
        yield
    finally:
        for owner, name, make in reversed(mine):
            found = _patched[owner, name]
            found.makers.remove(make)
            setattr(owner, name, found.wrapped() if found.makers else found.plain)
            if not found.makers:
                del _patched[owner, name]
