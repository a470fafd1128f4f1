"""Namespaces: the attributes of modules, classes and objects, as far as code names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .guards import MISSING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from .converted_arguments import Taken
    from .reach import Found, Reach


class Namespace:
    """Names and values that code looks up: those that are there, and those that may come to be.

    ``open_to`` says which names count beside those that were asked for by a path, given all that
    any code in reach names; ``otherwise`` is told of the names that do not count.
    """

    def __init__(
        self,
        names: Mapping[str, Any],
        label: str,
    ) -> None:
        self._names, self._label = names, label
        self.open_to: Callable[[Reach], set[str]] | None = None
        self.otherwise: Callable[[Reach, Found], None] | None = None
        self.asked_by_libraries: frozenset[str] | None = None  # of an object's own attributes
        self._found: dict[str, Found] = {}
        self._absent: set[str] = set()

    def get(self, reach: Reach, name: str, value: object) -> Found:
        """The value of a name that is there, as it is found at each call."""
        found = self._found.get(name)
        if found is None:
            label = f"{self._label}.{name}" if self._label else name
            source = f"{reach.guards.method(self._names, 'get')}({name!r}, M)"
            found = self._found[name] = reach.found(value, label, source)
        return found

    def absent(self, name: str) -> None:
        """Note that there is nothing by this name."""
        self._absent.add(name)

    def look(self, reach: Reach) -> None:
        """Reach for what code names by now."""
        if self.open_to is None:
            return
        new = self.open_to(reach) - self._found.keys() - self._absent
        for name in new:
            value = self._names.get(name, MISSING)
            if value is MISSING:
                self.absent(name)
            else:
                self.get(reach, name, value)
        for name, found in self._found.items():
            for taken in self._ways(reach, name):
                reach.add(found._replace(taken=taken))

    def _ways(self, reach: Reach, name: str) -> Collection[Taken | None]:
        known = self.asked_by_libraries is not None and name not in self.asked_by_libraries
        return reach.ways(name) if known else (None,)

    def rest(self, reach: Reach) -> None:
        """Tell of the names that do not count."""
        if self.otherwise is not None:
            for name in self._names.keys() - self._found.keys():
                self.otherwise(reach, self.get(reach, name, self._names[name]))

    def close(self, reach: Reach) -> None:
        """Check that what is not there does not come to be."""
        guards = reach.guards
        if self._absent:
            keys, absent = guards.method(self._names, "keys"), guards.bind(frozenset(self._absent))
            label = f"an attribute of {self._label}" if self._label else "a global name"
            guards.check(label, f"{keys}().isdisjoint({absent})", "M", "M")
        if self.otherwise or (reach.any_attribute and self.open_to):
            keys, was = guards.method(self._names, "keys"), guards.bind(tuple(self._names))
            label = f"the attributes of {self._label}"
            guards.check(label, f"(*{keys}(),) == {was}", f"(*{keys}(),)", was)
