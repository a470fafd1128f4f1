"""Keras, loaded so that what it takes for TensorFlow is cinta.

Keras has no door for engines of others: it knows TensorFlow, JAX, PyTorch and NumPy by name. Its
modules for TensorFlow are written in calls of ``tf.``, so they are loaded as they are, from where
Keras is installed, with an ``import`` of their own that answers ``tensorflow`` with cinta. Nobody
else sees that answer: TensorFlow itself can be imported beside it.
"""

from __future__ import annotations

import builtins
import importlib
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TESTED = "3.15.0", "3.15.1"
"""The versions of Keras that the tests have run with."""

_NAME = "keras"


def load(alias: str) -> dict[str, Any]:
    """The names of what TensorFlow shows as ``tf.keras``, computing with cinta.

    Its modules can be imported below the alias too, as in ``from cinta.keras.layers import Dense``.
    """
    _check()
    sys.meta_path.insert(0, _Finder())
    asked = os.environ.get("KERAS_BACKEND")
    os.environ["KERAS_BACKEND"] = "tensorflow"  # Keras looks at it when it is imported
    try:
        keras = importlib.import_module("keras._tf_keras.keras")
    finally:
        os.environ.pop("KERAS_BACKEND")
        os.environ.update({} if asked is None else {"KERAS_BACKEND": asked})
    sys.modules.update(_below(alias, keras))
    names = {name: value for name, value in vars(keras).items() if not name.startswith("_")}
    return {**names, "__version__": keras.__version__}


def _below(alias: str, module: ModuleType) -> Iterator[tuple[str, ModuleType]]:
    """The modules below a module of Keras, by their names below the alias."""
    for name, value in vars(module).items():
        if isinstance(value, ModuleType) and value.__name__.endswith(f".{name}"):
            yield f"{alias}.{name}", value
            yield from _below(f"{alias}.{name}", value)


def _check() -> None:
    """Refuse to load a Keras that is not there, is another, or runs on another engine already."""
    try:
        found = version(_NAME)
    except PackageNotFoundError:
        raise ModuleNotFoundError(
            "cinta.keras is Keras itself, which is not installed: pip install 'cinta[keras]'",
            name=_NAME,
        ) from None
    if found not in TESTED:
        raise ImportError(
            f"Keras {found} is installed; cinta knows the insides of {' and '.join(TESTED)}. "
            "Install one of these: pip install 'cinta[keras]'",
            name=_NAME,
        )
    if _NAME in sys.modules:
        backend = sys.modules[_NAME].config.backend()
        raise ImportError(
            f"Keras was imported before, with {backend} as its backend, and keeps it as long as "
            "the process lives. Import cinta.keras before keras; `import keras` then gives the "
            "same Keras.",
            name=_NAME,
        )


class _Finder:
    """Finds the modules of Keras where they are, to load them our way."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] != _NAME:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path)
        return spec


class _Loader(SourceFileLoader):
    """Runs a module of Keras with our ``import`` among its builtins."""

    def exec_module(self, module: ModuleType) -> None:
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": _import}
        super().exec_module(module)
        from .replaced import AFTER  # which needs cinta, and so cannot be loaded before it

        if module.__name__ in AFTER:
            AFTER[module.__name__](module)


def _import(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    """What ``import`` does in the modules of Keras."""
    if level or name.partition(".")[0] != "tensorflow":
        return builtins.__import__(name, globals, locals, fromlist or (), level)
    from .tensorflow import tensorflow

    found = tensorflow
    for part in name.split(".")[1:] if fromlist else ():
        found = getattr(found, part)
    return found
