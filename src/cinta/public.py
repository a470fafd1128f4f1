"""Public names: how a function declares them, and how namespaces find them.

    @public("math.sinc", "sinc")
    def sinc(x): ...

is all that ``tf.math.sinc`` and ``tf.sinc`` need. ``make namespaces`` collects the declarations in
``public_names.py``, which is read here, and in stubs, which type checkers read.

A namespace is filled as it is used: a name that is asked for brings all names that its module
declares, and nothing else is imported. When no name is missing any more, the ``__getattr__`` of the
namespace is removed, because Python finds ``tf.sin`` more slowly in a module that has one (45 ns
instead of 25 on CPython 3.11 to 3.13).
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from .public_names import NAMES, NAMESPACES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    T = TypeVar("T")

PACKAGE = __name__.partition(".")[0]

ARRIVALS: list[Callable[[str, ModuleType], None]] = []
"""Functions to call with each module that is brought into a namespace, before names are used."""

SHOWING: list[ModuleType] = []
"""Modules beside the namespaces that keep names of theirs, as those do that programs see as
``tensorflow``."""


def public(*names: str) -> Callable[[T], T]:
    """Declare the public names of a function, a class or a value, without the ``tf.``.

    Nothing happens at run time: the declaration is read from the source code.

    >>> from cinta.public import public
    >>> @public("math.twice")
    ... def twice(x):
    ...     return x + x
    >>> twice(2)
    4
    """
    return _unchanged


def _unchanged(thing: T) -> T:
    return thing


def name_methods(owner: str, *bases: type) -> None:
    """Name the public methods of base classes after the class that people know.

    Python's errors then say ``GradientTape.watch() missing 1 required positional argument``.
    """
    for base in bases:
        for name, method in vars(base).items():
            function = getattr(method, "__func__", method)  # of class methods and static ones
            if isinstance(function, FunctionType) and (name[0] != "_" or name == "__init__"):
                function.__qualname__ = f"{owner}.{name}"


def namespace(
    module: str, at_once: Sequence[str] = (), otherwise: str | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of the namespace in this module.

    The names of the modules ``at_once`` are there from the beginning. ``otherwise`` is a module
    that may have names in addition to the declared ones.
    """
    names = NamespaceNames(module, otherwise)
    for home in at_once:
        names.bring(home)
    return names.find, names.shown


class NamespaceNames:
    """The names of one namespace."""

    def __init__(self, module: str, otherwise: str | None) -> None:
        self.module, self.otherwise = module, otherwise
        self.own = vars(sys.modules[module])
        prefix = module[len(PACKAGE) + 1 :]
        self.inner = NAMESPACES.get(prefix, "").split()
        self.missing = dict(NAMES.get(prefix, {}))
        self.declared = [
            text.partition("=")[0] for t in self.missing.values() for text in t.split()
        ]
        self.written = [n for n in self.own if not n.startswith("_") and self._is_by_hand(n)]

    def _is_by_hand(self, name: str) -> bool:
        return name != "annotations" and not isinstance(self.own[name], ModuleType)

    def find(self, name: str) -> Any:
        """A name that is asked for and is not there yet."""
        if name == "__all__":
            return self.shown()
        if name.startswith("__"):  # a look at the module, not into it
            raise AttributeError(f"module {self.module!r} has no attribute {name!r}")
        if name in self.inner:
            return import_module(f"{self.module}.{name}")
        for home, texts in list(self.missing.items()):
            if name in [text.partition("=")[0] for text in texts.split()]:
                self.bring(home)
                return self.own[name]
        if name in self.own:  # another thread has brought it
            return self.own[name]
        if self.otherwise is None:
            raise MissingName(self.module, name)
        return getattr(self.elsewhere(self.otherwise), name)

    @staticmethod
    def elsewhere(name: str) -> Any:
        """Another module, which may be there only when the one around it has been loaded."""
        outer, _, inner = name.rpartition(".")
        return getattr(import_module(outer), inner)

    def bring(self, home: str) -> None:
        """Import a module, and take its names over."""
        module = import_module(f"{PACKAGE}.{home}")
        for arrived in ARRIVALS:
            arrived(home, module)
        for text in self.missing.get(home, "").split():  # another thread may have been here
            name, _, attribute = text.partition("=")
            self.own[name] = getattr(module, attribute or name)
        self.missing.pop(home, None)
        if not self.missing and not self.otherwise:
            for inner in self.inner:
                import_module(f"{self.module}.{inner}")
            self.own.pop("__getattr__", None)

    def shown(self) -> list[str]:
        """All public names, for completion and for ``import *``."""
        if not self.declared and self.otherwise:
            return dir(self.elsewhere(self.otherwise))
        return sorted({*self.declared, *self.inner, *self.written})


class MissingName(AttributeError):
    """A namespace lacks a name. The text, which is made when it is read, says which one is meant.

    >>> from cinta.public import MissingName
    >>> print(MissingName("cinta", "log"))
    module 'cinta' has no attribute 'log'. Use tf.math.log.
    """

    __module__, __qualname__ = "builtins", "AttributeError"  # which is how tracebacks show it

    def __str__(self) -> str:
        from .missing_names import advice  # most errors are caught unread, by imports and hasattr

        module, name = self.args
        place = module.replace(PACKAGE, "tf", 1)
        return f"module {module!r} has no attribute {name!r}.{advice(place, name)}"
