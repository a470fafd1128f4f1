"""Modules that are loaded when they are first asked for a name, or imported."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec


class Lazy(ModuleType):
    """Stands for a module that most programs do without.

    A module's own ``__getattr__`` would do the same, at the price of slowing down each ``tf.sin``.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":  # someone looks at it, not into it
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(import_module(self.__name__), name)

    def __dir__(self) -> list[str]:
        return dir(import_module(self.__name__))


class _KerasFinder:
    """Answers ``import keras``, and the import system's questions about nothing else."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "keras" and not name.startswith("keras."):
            return None
        found: ModuleSpec | None
        found = import_module("cinta.keras_engine.loading").find_spec(name, path, target)
        return found


def answer_imports_of_keras() -> None:
    """Let ``import keras`` give the Keras that computes with cinta.

    The finder stands before that of Python, which would find Keras as it is.
    """
    sys.meta_path.insert(0, _KerasFinder())
