"""Carriers: recorders that carry something along with values, such as derivatives forwards."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from .recorders import Follower

if TYPE_CHECKING:
    from .device_values import Held
    from .tensor import Tensor
    from .variable import Variable


class Carrier(Follower):
    """A follower that knows something of values, by their numbers, for as long as they live."""

    __slots__ = ("_ends", "known")

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[int, Any] = {}
        self._ends: dict[int, weakref.ref[Any]] = {}

    def on_read(self, variable: Variable, value: Held) -> bool:
        return variable._number in self.known

    def of(self, value: Tensor | Variable) -> Any:
        """The entry for a tensor or variable, None without one."""
        return self.known.get(getattr(value, "_number", 0))

    def learn(self, value: Tensor, what: object) -> None:
        """Know this of a tensor until it is gone; None is nothing to know."""
        if what is None:
            return
        number, known, ends = value._number, self.known, self._ends
        known[number] = what

        def forget(_: object) -> None:
            known.pop(number, None)
            ends.pop(number, None)

        ends[number] = weakref.ref(value, forget)

    def close(self) -> None:
        super().close()
        self.known.clear()
        self._ends.clear()
