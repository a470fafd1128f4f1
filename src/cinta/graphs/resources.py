"""Objects that functions of a file make and fill: tables of keys and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..saved_model.restored import LoadedModule

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Array


class Resource(LoadedModule):
    """A table, which is made when it is first needed."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__("resource")
        self._make = make
        self._handle: Any = None

    @property
    def handle(self) -> Any:
        """The table as functions take it."""
        if self._handle is None:
            self._handle = self._make()
        return self._handle

    def restore(self, keys: Array, values: Array) -> None:
        """Hold the pairs that were saved."""
        self.handle.insert(keys, values)
