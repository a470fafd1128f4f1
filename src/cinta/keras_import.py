"""The hook by which ``import keras`` gives the Keras that computes with cinta."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


class _KerasFinder:
    """Answers ``import keras``, and the import system's questions about nothing else."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "keras" and not name.startswith("keras."):
            return None
        found: ModuleSpec | None
        found = import_module("cinta.keras_engine.load_keras").find_spec(name, path, target)
        return found


def answer_imports_of_keras() -> None:
    """Put the finder before that of Python, which would find Keras as it is."""
    sys.meta_path.insert(0, _KerasFinder())
