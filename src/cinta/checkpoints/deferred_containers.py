"""Lists and dictionaries that wait for elements for which a checkpoint has values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor
    from ..engine.variable import Variable

    Taker: TypeAlias = Callable[[Any], Any]


class WaitingList(list[Any]):
    """A list that restores elements as they come; a copy of it is a plain list."""

    def __init__(self, values: Any = ()) -> None:
        super().__init__(values)
        self._takers: dict[str, Taker] = {}

    def expect(self, takers: dict[str, Taker]) -> None:
        """Let these see the elements of these names."""
        self._takers.update(takers)

    def append(self, value: object) -> None:
        super().append(_taken(self._takers, str(len(self)), value))

    def extend(self, values: Any) -> None:
        for value in values:
            self.append(value)

    def __iadd__(self, values: object) -> WaitingList:  # type: ignore[misc]
        self.extend(values)
        return self

    def __reduce__(self) -> tuple[tuple[Any, ...] | type[Any], ...]:
        return list, (list(self),)


class WaitingDict(dict[Any, Any]):
    """A dictionary that restores values as they come; a copy of it is a plain dictionary."""

    def __init__(self, values: Any = ()) -> None:
        super().__init__(values)
        self._takers: dict[str, Taker] = {}

    def expect(self, takers: dict[str, Taker]) -> None:
        """Let these see the elements of these names."""
        self._takers.update(takers)

    def __setitem__(self, name: str, value: Tensor | Variable) -> None:
        super().__setitem__(name, _taken(self._takers, name, value))

    def setdefault(self, name: Any, default: Any = None) -> object:
        if name not in self:
            self[name] = default
        return self[name]

    def update(self, *others: object, **named: Any) -> None:
        for name, value in dict(*others, **named).items():
            self[name] = value

    def __ior__(self, other: object) -> WaitingDict:  # type: ignore[misc]
        self.update(other)
        return self

    def __reduce__(self) -> tuple[tuple[Any, ...] | type[Any], ...]:
        return dict, (dict(self),)


def is_plain(value: object) -> bool:
    """Whether it is a list or dictionary to which anything can be added unseen."""
    return type(value) in (list, dict)


def waiting(value: object) -> WaitingList | WaitingDict:
    """The same elements in a list or dictionary that can wait for more."""
    return WaitingList(value) if type(value) is list else WaitingDict(value)


def _taken(takers: dict[str, Taker], name: str, value: object) -> object:
    taken = takers[name](value) if name in takers else None
    if taken is None:
        return value
    del takers[name]
    return taken
