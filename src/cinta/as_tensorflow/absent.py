"""Names that cinta lacks and that libraries import at their start, though few programs need it.

TensorFlow rewrites the source of functions, and shows the tools of that. A library that builds on
them can be imported; the error comes where it uses them.
"""

from __future__ import annotations

from typing import NoReturn

_PACKAGES = tuple([f"python.autograph.{part}" for part in ("converters", "core", "pyct")])


def is_absent(path: str) -> bool:
    """Whether a module of TensorFlow belongs to what is absent as a whole.

    >>> from cinta.as_tensorflow.absent import is_absent
    >>> is_absent("python.autograph.pyct.anno"), is_absent("python.autograph")
    (True, False)
    """
    return any([path == each or path.startswith(each + ".") for each in _PACKAGES])


class Absent(type):
    """The class of classes that stand for absent names: classes can derive from them."""

    def __getattr__(cls, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return absent(f"{cls.__module__}.{cls.__qualname__}", name)

    def __call__(cls, *args: object, **kwargs: object) -> NoReturn:
        from .modules import complaint

        named = next(each for each in cls.__mro__ if "_is_absent" in vars(each))
        raise NotImplementedError(complaint(f"{named.__module__}.{named.__qualname__}"))


def absent(module: str, name: str) -> type:
    """A stand-in for a name: it can be derived from and asked for attributes, but not called."""
    space = {"__module__": module, "__qualname__": name, "_is_absent": True}
    return Absent(name, (), space)
