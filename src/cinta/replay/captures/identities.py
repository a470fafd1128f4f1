"""Identities: which of the things that are compared by what they hold are one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .guards import Guards
    from .reach import Found


class Identities:
    """The places of containers and arrays, of which one may stand in several."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}  # by the expressions that fetch them

    def note(self, found: Found) -> None:
        """Remember where a thing stands that is compared by what it holds."""
        self._values[found.source] = found.value

    def check(self, guards: Guards) -> None:
        """Require that in these places the same ones are one object as are now."""
        if len(self._values) > 1:
            now = f"{guards.bind(_firsts)}([{', '.join(self._values)}])"
            was = repr(_firsts([*self._values.values()]))
            guards.check("which values are one object", f"{now} == {was}", now, was, late=True)


def _firsts(values: list[object]) -> list[int]:
    """For each object its first position."""
    first: dict[int, int] = {}
    return [first.setdefault(id(value), i) for i, value in enumerate(values)]
