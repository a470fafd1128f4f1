"""The ops by their names; the modules that make them are imported when they are asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from ..public_names import OPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .op import Op


class Registry:
    """Finds each op by its name, which is TensorFlow's name for it where it has one."""

    def __init__(self) -> None:
        self._loaded: dict[str, Op] = {}

    def add(self, op: Op) -> None:
        """Enter a new op."""
        if op.name in self._loaded:
            raise KeyError(f"there is an op named {op.name!r} already: {self._loaded[op.name]}")
        self._loaded[op.name] = op

    def remove(self, name: str) -> None:
        """Forget an op."""
        del self._loaded[name]

    def find(self, name: str) -> Op | None:
        """The op of this name, or None."""
        if name not in self._loaded and name in _homes():
            import_module(f"..{_homes()[name]}", __package__)
        return self._loaded.get(name)

    def __getitem__(self, name: str) -> Op:
        op = self.find(name)
        if op is None:
            raise KeyError(name)
        return op

    def __contains__(self, name: object) -> bool:
        return name in self._loaded or name in _homes()

    def __iter__(self) -> Iterator[str]:
        return iter({**self._loaded, **_homes()})

    def home(self, name: str) -> str:
        """The module that makes an op, below cinta; empty if a user did."""
        return _homes().get(name, "")

    def all(self) -> list[Op]:
        """Every op."""
        return [self[name] for name in self]


@cache
def _homes() -> dict[str, str]:
    return {name: home for home, names in OPS.items() for name in names.split()}


registry = Registry()
