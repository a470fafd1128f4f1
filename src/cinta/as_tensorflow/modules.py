"""The modules that programs see as ``tensorflow`` and below it.

Each is a plain module that shows the names of one or more modules of cinta, under the name and with
the version that libraries look for. It takes a name over when somebody asks for it, so that it is
found as fast as in any module from then on.
"""

from __future__ import annotations

import dis
import functools
import inspect
import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn

from ..compat.tensorflow1 import enable_v2_behavior
from ..keras_engine.load_keras import load as load_keras
from ..missing_names import advice
from ..public import SHOWING
from ..public_names import NAMES, NAMESPACES
from ..tracebacks import is_inside
from .absent import absent, is_absent
from .internals import is_internal, is_of_raw_ops, namespaces_of, own_home

if TYPE_CHECKING:
    from types import FrameType

ROOT = "tensorflow"
ROOTS = {ROOT: "", "tf_keras": "keras"}
"""The packages that cinta stands in for, and which of its namespaces each shows.

TensorFlow's package for Keras 2 shows Keras 3, as `tensorflow.keras` does.
"""
FOLLOWED = "2.21.0"
"""The version of TensorFlow whose behavior is followed."""

_CINTA = __name__.partition(".")[0]
_VERSIONS = {
    "": {
        "__version__": FOLLOWED,
        "__git_version__": f"v{FOLLOWED}",
        "__compiler_version__": sys.version,
        "__cxx11_abi_flag__": 1,
        "__cxx_version__": 201703,
        "__monolithic_build__": 0,
    },
    "version": {
        "VERSION": FOLLOWED,
        "GIT_VERSION": f"v{FOLLOWED}",
        "COMPILER_VERSION": sys.version,
        "GRAPH_DEF_VERSION": 2382,
        "GRAPH_DEF_VERSION_MIN_CONSUMER": 0,
        "GRAPH_DEF_VERSION_MIN_PRODUCER": 0,
    },
}
"""TensorFlow's facts about itself, by namespaces."""

_SAME = {
    "compat.v2": "",
    "_api.v2": "",
    "_api": "",
    "keras.api._v2.keras": "keras",
    "keras.api._v1.keras": "keras",
}
"""Namespaces below ``tensorflow`` that show again what stands in others."""

_V1 = "compat.v1"
_CHANGED_SINCE_V1 = {
    "": ["losses", "metrics", "optimizers"],
    "image": ["extract_glimpse", "resize"],
    "math": ["in_top_k"],
    "nn": [
        *("ctc_loss", "dropout", "embedding_lookup", "fractional_avg_pool", "fractional_max_pool"),
        *("in_top_k", "nce_loss", "sampled_softmax_loss", "softmax_cross_entropy_with_logits"),
    ],
    "random": ["poisson"],
}
"""Namespaces that differ, and functions that compute another thing from the same arguments."""

_NOTHING = object()
_IMPORT_FROM = dis.opmap["IMPORT_FROM"]


class MissingTensorFlowName(AttributeError):
    """A module lacks a name; the text says which one, where it was asked for, and what to use."""

    __module__, __qualname__ = "builtins", "AttributeError"  # which is how tracebacks show it


def inside(name: str) -> str:
    """The name of a module below ``tensorflow``, in the way of TensorFlow 2.

    >>> from cinta.as_tensorflow.modules import inside
    >>> inside("tensorflow.nn"), inside("tensorflow.compat.v2.nn"), inside("tensorflow")
    ('nn', 'nn', '')
    """
    root, _, rest = name.partition(".")
    path = ".".join(filter(None, (ROOTS[root], rest)))
    for same, shown in _SAME.items():
        if path == same or path.startswith(same + "."):
            return f"{shown}{path.removeprefix(same)}".removeprefix(".")
    return path


def stands_for(name: str) -> bool:
    """Whether a module is one of those that cinta stands in for.

    >>> from cinta.as_tensorflow.modules import stands_for
    >>> stands_for("tensorflow.nn"), stands_for("tf_keras"), stands_for("tensorflow_probability")
    (True, True, False)
    """
    return name.partition(".")[0] in ROOTS


def sources(path: str) -> list[str] | None:
    """The modules of cinta whose names a module shows; None if TensorFlow's module is not known."""
    if path == _V1 or path.startswith(_V1 + "."):
        rest = path.removeprefix(_V1).removeprefix(".")
        new = [] if rest in _CHANGED_SINCE_V1[""] else [rest]
        found = [each for each in (path, *new) if _is_namespace(each)]
        return [_home(each) for each in found] or None
    if is_absent(path):
        return []
    if is_internal(path):
        return [_home(each) for each in namespaces_of(path) if _is_namespace(each)]
    return [_home(path)] if _is_namespace(path) else None


def _home(path: str) -> str:
    return f"{_CINTA}.{path}" if path else _CINTA


def _is_namespace(path: str) -> bool:
    outer, _, name = path.rpartition(".")
    return path in NAMES or path in NAMESPACES or name in NAMESPACES.get(outer, "").split()


def fill(module: ModuleType) -> None:
    """Give a module its ``__getattr__`` and ``__dir__``."""
    path = inside(module.__name__)
    homes = sources(path) or []
    own = vars(module)
    if path == "keras":  # its modules have names and versions of their own
        own.update(load_keras(module.__name__))
    if module.__name__ == f"{ROOT}.compat.v2":  # which has a name of TensorFlow 1 beside them
        own["enable_v2_behavior"] = enable_v2_behavior
    own.update(_VERSIONS.get(path.removeprefix(_V1).removeprefix("."), {}))

    def __getattr__(name: str) -> object:
        if name == "__all__":
            return [each for each in __dir__() if not each.startswith("_")]
        if name.startswith("__") and name != "__internal__":
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
        found = _look_up(module.__name__, path, homes, name)
        if found is _NOTHING:
            _refuse(module, name)
        own[name] = found
        return found

    def __dir__() -> list[str]:
        shown = {name for home in homes for name in dir(import_module(home))}
        return sorted({*shown, *(each for each in own if not each.startswith("__"))})

    own["__getattr__"], own["__dir__"] = __getattr__, __dir__
    SHOWING.append(module)


def _look_up(asked: str, path: str, homes: list[str], name: str) -> object:
    """The thing that a name of TensorFlow stands for; ``_NOTHING`` if cinta lacks it."""
    if is_absent(path):
        return absent(asked, name)
    below = f"{asked}.{name}"
    if find_spec(below) is not None:
        return import_module(below)
    for home in homes:
        if not _is_another_in_v1(path, home, name):
            found = getattr(import_module(home), name, _NOTHING)
            if found is not _NOTHING:
                return found
    own = own_home(path, name)
    if own is not None:
        return getattr(import_module(f"{__package__}.{own}"), name, _NOTHING)
    return _raw_op(name) if is_of_raw_ops(path) else _NOTHING


def _raw_op(name: str) -> object:
    """A raw op by TensorFlow's name for its function, which takes arguments by position too."""
    raw_ops = import_module(f"{_CINTA}.raw_ops")
    plain = name.replace("_", "")
    found = next((each for each in dir(raw_ops) if each.lower() == plain), None)
    if found is None:
        return _NOTHING
    op = getattr(raw_ops, found)
    names = list(inspect.signature(op).parameters)

    def function(*args: object, **kwargs: object) -> object:
        return op(**dict(zip(names, args, strict=False)), **kwargs)

    return functools.update_wrapper(function, op)


def _is_another_in_v1(path: str, home: str, name: str) -> bool:
    """Whether TensorFlow 1 means something else by a name that TensorFlow 2 has too."""
    rest = path.removeprefix(_V1).removeprefix(".")
    is_new = path.startswith(_V1) and home == _home(rest)
    return is_new and name in _CHANGED_SINCE_V1.get(rest, ())


def _refuse(module: ModuleType, name: str) -> NoReturn:
    """Raise that a name is missing; an ImportError if an import statement asks for it."""
    frame: FrameType | None = sys._getframe(2)
    importing = frame is not None and frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM
    said = complaint(f"{module.__name__}.{name}")
    if importing:
        raise ImportError(said, name=module.__name__, path=module.__file__)
    raise MissingTensorFlowName(said)


def complaint(name: str) -> str:
    """That cinta lacks a name of TensorFlow, with the line that asks for it and what to use."""
    return f"cinta has no {name}, which is asked for {_asking_line()}.{advice_on(name)}"


def advice_on(name: str) -> str:
    """Advice on a replacement for a name of TensorFlow, after a space; empty if there is none."""
    module, _, last = name.rpartition(".")
    path = inside(module)
    return advice(f"tf.{path}" if path else "tf", last)


def _asking_line() -> str:
    """The place in the program, or in a library, that runs at the moment."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (is_inside(frame) or _is_importlib(frame)):
        frame = frame.f_back
    return "by Python" if frame is None else f"at {frame.f_code.co_filename}:{frame.f_lineno}"


def _is_importlib(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).startswith("importlib")
