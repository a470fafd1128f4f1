"""Python's ``inspect``, as libraries call it: it looks through ``tf.function`` and decorators."""

from __future__ import annotations

import inspect
from functools import update_wrapper
from inspect import (
    FullArgSpec,
    Parameter,
    Signature,
    currentframe,
    getcallargs,
    getdoc,
    getfile,
    getframeinfo,
    getmembers,
    getmodule,
    getmro,
    getsource,
    getsourcefile,
    getsourcelines,
    isbuiltin,
    isclass,
    isframe,
    isfunction,
    isgenerator,
    isgeneratorfunction,
    ismethod,
    ismodule,
    isroutine,
    signature,
    stack,
)
from typing import TYPE_CHECKING, TypeVar

from ..programs.function import Function

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "FullArgSpec",
    "Parameter",
    "Signature",
    "currentframe",
    "getcallargs",
    "getdoc",
    "getfile",
    "getframeinfo",
    "getfullargspec",
    "getmembers",
    "getmodule",
    "getmro",
    "getsource",
    "getsourcefile",
    "getsourcelines",
    "isbuiltin",
    "isclass",
    "isframe",
    "isfunction",
    "isgenerator",
    "isgeneratorfunction",
    "ismethod",
    "ismodule",
    "isroutine",
    "make_decorator",
    "signature",
    "stack",
    "unwrap",
]

Decorator = TypeVar("Decorator", bound="Callable[..., object]")

_CINTA = __name__.partition(".")[0]
_TARGET = "_tf_decorator_target"
"""The attribute by which a wrapper that ``make_decorator`` has marked names what it wraps."""


def make_decorator(
    target: Callable[..., object], decorator_func: Decorator, decorator_name: str | None = None
) -> Decorator:
    """A wrapper with the name and the text of what it wraps, so that ``unwrap`` finds it.

    >>> from cinta.as_tensorflow.inspecting import make_decorator, unwrap
    >>> def twice(x): return 2 * x
    >>> wrapper = make_decorator(twice, lambda *args: twice(*args) + 1)
    >>> wrapper.__name__, wrapper(3), unwrap(wrapper)[1] is twice
    ('twice', 7, True)
    """
    update_wrapper(decorator_func, target)
    setattr(decorator_func, _TARGET, target)
    return decorator_func


def unwrap(maybe_tf_decorator: object) -> tuple[list[object], object]:
    """The wrappers from the outermost on, and what they wrap."""
    wrappers: list[object] = []
    target = maybe_tf_decorator
    while isinstance(target, Function) or _TARGET in getattr(target, "__dict__", {}):
        wrappers.append(target)
        target = (
            target.python_function if isinstance(target, Function) else getattr(target, _TARGET)
        )
    return wrappers, target


def getfullargspec(obj: object) -> FullArgSpec:
    """The parameters of a function, also of one that ``tf.function`` has made.

    Those of cinta's functions have no annotations, as in TensorFlow: libraries compare theirs.
    """
    target = unwrap(obj)[1]
    if not callable(target):
        raise TypeError(f"unsupported callable: {target!r}")
    if str(getattr(target, "__module__", None)).partition(".")[0] != _CINTA:
        return inspect.getfullargspec(target)
    return inspect.getfullargspec(inspect.unwrap(target))._replace(annotations={})
