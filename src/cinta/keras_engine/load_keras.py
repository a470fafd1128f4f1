"""Keras, loaded so that what it takes for TensorFlow is cinta.

Keras has no interface for further engines: it knows TensorFlow, JAX, PyTorch and NumPy by name. Its
modules for TensorFlow are written in calls of ``tf.``, so they are loaded as they are, from where
Keras is installed, with an ``import`` of their own that answers ``tensorflow`` with cinta. Code
outside Keras does not see that answer: TensorFlow itself can be imported as well.

A process has one Keras, and its first import decides which. ``cinta.keras`` always loads the one
that computes with cinta. A plain ``import keras`` does so after ``import cinta``, unless another
choice was made before: another engine in ``KERAS_BACKEND`` or in Keras's own settings file, or an
import of TensorFlow itself.
"""

from __future__ import annotations

import builtins
import importlib
import json
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TESTED = "3.15.0", "3.15.1"
"""The versions of Keras that the tests have run with."""

_NAME = "keras"
_ENGINE = "tensorflow"  # as Keras calls the engine in whose place cinta stands

_demanded = False  # whether cinta.keras is being loaded, whatever other engine was chosen


def load(alias: str) -> dict[str, Any]:
    """The names of what TensorFlow shows as ``tf.keras``, computing with cinta.

    Its modules can be imported below the alias too, as in ``from cinta.keras.layers import Dense``.
    """
    global _demanded
    _check_version()
    _check_engine()
    _demanded = True
    try:
        importlib.import_module(_NAME)  # first: threads that import it too wait for each other
        keras = importlib.import_module("keras._tf_keras.keras")
    finally:
        _demanded = False
    sys.modules.update(_below(alias, keras))
    names = {name: value for name, value in vars(keras).items() if not name.startswith("_")}
    return {**names, "__version__": keras.__version__}


def _below(alias: str, module: ModuleType) -> Iterator[tuple[str, ModuleType]]:
    """The modules below a module of Keras, by their names below the alias."""
    for name, value in vars(module).items():
        if isinstance(value, ModuleType) and value.__name__.endswith(f".{name}"):
            yield f"{alias}.{name}", value
            yield from _below(f"{alias}.{name}", value)


def _check_version() -> None:
    """Refuse a Keras that is not there, or is another than those that are known."""
    from importlib.metadata import PackageNotFoundError, version

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
            "Install one of these, pip install 'cinta[keras]', or let Keras compute with another "
            "engine: name it in KERAS_BACKEND, or import tensorflow first.",
            name=_NAME,
        )


def _check_engine() -> None:
    """Refuse to load a second Keras if there is one that computes with another engine."""
    if _NAME in sys.modules and not _is_ours(sys.modules[_NAME]):
        backend = sys.modules[_NAME].config.backend()
        raise ImportError(
            f"Keras was imported before, with {backend} as its backend, and keeps it as long as "
            "the process lives. Import cinta.keras before keras; `import keras` then gives the "
            "same Keras.",
            name=_NAME,
        )


def _is_ours(keras: ModuleType) -> bool:
    """Whether this Keras computes with cinta."""
    return isinstance(getattr(keras.__spec__, "loader", None), _Loader)


def _other_choice() -> bool:
    """Whether a plain ``import keras`` is to give another Keras than ours."""
    tensorflow = getattr(sys.modules.get("tensorflow"), "__spec__", None)
    if getattr(tensorflow, "name", None) == "tensorflow" and not _is_cinta(tensorflow):
        return True
    return (os.environ.get("KERAS_BACKEND") or _configured_engine()) != _ENGINE


def _is_cinta(tensorflow: ModuleSpec | None) -> bool:
    """Whether cinta stands in TensorFlow's place."""
    loader = type(getattr(tensorflow, "loader", None))
    return loader.__module__.startswith("cinta.")


def _configured_engine() -> str:
    """The engine that Keras's settings file names: read where and as Keras reads it."""
    user = os.path.expanduser("~")
    base = user if os.access(user, os.W_OK) else "/tmp"
    folder = os.environ.get("KERAS_HOME", os.path.join(base, ".keras"))
    try:
        with open(os.path.expanduser(os.path.join(folder, "keras.json"))) as file:
            engine: str = json.load(file).get("backend", _ENGINE)
    except (OSError, ValueError):
        return _ENGINE
    return engine


def find_spec(
    name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
) -> ModuleSpec | None:
    """Where a module of Keras is, to be loaded our way; None if this Keras is to be another."""
    if name == _NAME:
        another = not _demanded and _other_choice()
    else:
        another = _NAME not in sys.modules or not _is_ours(sys.modules[_NAME])
    spec = None if another else PathFinder.find_spec(name, path, target)
    if spec is not None and isinstance(spec.loader, SourceFileLoader):
        spec.loader = _Loader(spec.loader.name, spec.loader.path)
    return spec


class _Loader(SourceFileLoader):
    """Runs a module of Keras with our ``import`` among its builtins."""

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ == _NAME:
            _check_version()
        builtins.__class__ = _Builtins
        vars(module)["__builtins__"] = _builtins
        super().exec_module(module)
        from .replaced import AFTER  # which needs cinta, and so cannot be loaded before it

        if module.__name__ in AFTER:
            AFTER[module.__name__](module)


class _Builtins(ModuleType):
    """The module ``builtins``, with assignments that reach Keras too: ``mock.patch`` makes them."""

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name != "__import__":  # ours calls the one that is assigned
            _builtins[name] = value

    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        _builtins.pop(name, None)


def _import(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    """The ``__import__`` of the modules of Keras."""
    if level or name.partition(".")[0] != "tensorflow":
        return builtins.__import__(name, globals, locals, fromlist or (), level)
    from .tensorflow import tensorflow

    found = tensorflow
    for part in name.split(".")[1:] if fromlist else ():
        found = getattr(found, part)
    return found


_builtins = {**vars(builtins), "__import__": _import}
"""The builtins of the modules of Keras: a plain dict, because that is looked up faster."""
