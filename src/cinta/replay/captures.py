"""Captures: what a function's Python refers to beside its arguments, as it was when it ran.

A recording has numbers, lists, settings and objects of the program built in. So before it runs in
place of the Python, it must be known that all these are still what they were. What a function can
reach is found from its code: the globals and the variables of enclosing functions that it names,
their items, the attributes that any code in reach names, and the functions in reach in turn. Code
of libraries is not looked into.
"""

from __future__ import annotations

import enum
import functools
import operator
import reprlib
import sys
import threading
import types
import weakref
from array import array
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from importlib.util import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..derivatives.tape import GradientTape
from ..engine.arrays import shortened
from ..engine.module import Module
from ..engine.op import Op
from ..engine.recorders import active
from ..engine.sparse_tensor import PLACED
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from .argument_structures import parts
from .code import codes_in, names_in
from .ownership import is_library, is_opaque, of_cinta, of_library
from .recording import same_array
from .world import BUILTINS, ENVIRONMENT, Outside, environment

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

_ATOMS = (int, float, complex, bool, str, bytes, type(None), np.generic, np.dtype, enum.Enum)
_FIXED = (Tensor, Variable, Op, types.BuiltinFunctionType, np.ufunc)
"""What never changes, or is told to the recorder when it does."""

_MISSING = object()


class Check(NamedTuple):
    """Something that was in reach: where it was found, and what it was."""

    label: str
    fetch: Callable[[], Any]
    was: Any

    def holds(self) -> bool:
        now = self.fetch()
        return now is self.was or _same(now, self.was)


class Captures:
    """What was in reach of some functions and objects, to be compared with what is now."""

    def __init__(self, *roots: Any, apart: Collection[types.CodeType] = ()) -> None:
        self._apart = apart
        self._checks: list[Check] = []
        self.catches = False  # whether the Python may catch errors
        self.refused: str | None = None  # why a recording could not stand for the Python
        self.outside = Outside()
        self._tensors: dict[int, Tensor] = {}
        self._attributes: set[str] = set()
        self._written: set[str] = set()
        self._any_attribute = False  # whether code names attributes by what it computes
        self._objects: dict[int, tuple[str, Any]] = {}
        self._met: set[tuple[int, str]] = set()
        self._reached: dict[int, Any] = {}  # kept, so that identities stay unique
        self._waiting: deque[tuple[Any, str]] = deque()
        for root in roots:
            self._reach(root, getattr(root, "__name__", type(root).__name__))
        self._settle()
        self.outside.settle(self._attributes)
        if not ENVIRONMENT.isdisjoint(self._attributes):
            self._checks.append(Check("os.environ", environment, environment()))
        del self._objects, self._met, self._attributes, self._written, self._reached, self._waiting

    def watched(self) -> bool:
        """Whether a tape that records on this thread knows a tensor that was captured."""
        return any([active(tensor._recorder) for tensor in self._tensors.values()])

    def hold(self) -> bool:
        """Whether everything is what it was."""
        return all([check.holds() for check in self._checks])

    def difference(self) -> str | None:
        """What is not what it was, in words; None if there is nothing."""
        for check in self._checks:
            if not check.holds():
                return f"{check.label} changed: {_short(check.was)} → {_short(check.fetch())}"
        return self.outside.difference()

    def only(self, others: Captures) -> None:
        """Leave out what is not in the reach of others."""
        mine = {check.label: check for check in self._checks}
        self._checks = [mine.get(check.label, check) for check in others._checks]
        self.outside.only(others.outside)

    # -- what is in reach ----------------------------------------------------------------------

    def _check(self, label: str, fetch: Callable[[], Any]) -> Any:
        """Remember what is found there, and go on from it."""
        value = fetch()
        self._checks.append(Check(label, fetch, value))
        self._reach(value, label)
        return value

    def _reach(self, value: Any, label: str) -> None:
        """Look at a value later: lists in lists may be nested deeper than Python calls."""
        if isinstance(value, Tensor):
            self._tensors[id(value)] = value
        if isinstance(value, types.BuiltinFunctionType):  # of a module, or bound to an object
            self.outside.note(value, label)
            self.outside.note(value.__self__, label)
        if not isinstance(value, _SIMPLE) or _own(value):
            self._waiting.append((value, label))

    def _look(self, value: Any, label: str) -> None:
        """Remember what a value is made of, and reach for that."""
        if id(value) in self._reached:
            return
        self._reached[id(value)] = value
        if isinstance(value, GradientTape):
            self.refused = f"it uses a tape from outside, {label}"
        elif isinstance(value, Iterator) and not of_cinta(value):
            self.refused = f"it uses an iterator, {label}"
        self.outside.note(value, label)
        if isinstance(value, types.FunctionType):
            self._function(value, label)
        elif isinstance(value, types.MethodType):
            self._reach(value.__self__, label.rpartition(".")[0] or label)
            self._reach(value.__func__, label)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                self._reach(part, label)
        elif isinstance(value, _CONTAINERS):
            self._items(value, label)
        elif isinstance(value, (dict, types.MappingProxyType)):
            self._dict(value, label)
        elif isinstance(value, np.ndarray):
            self._checks.append(Check(label, lambda: value, np.array(value)))
            for item in value.flat if value.dtype.hasobject else ():
                self._reach(item, label)
        elif isinstance(value, _BUFFERS):
            self._checks.append(Check(label, lambda: bytes(value), bytes(value)))
        elif isinstance(value, weakref.ref):
            self._check(label, value)
        elif isinstance(value, ContextVar):
            self._check(label, functools.partial(value.get, None))
        elif isinstance(value, _GETTERS):
            self._attributes |= {x for x in value.__reduce__()[1] if isinstance(x, str)}
        elif not is_opaque(value):
            self._objects[id(value)] = label, value
            if isinstance(value, type) and type(value) is not type:
                self._reach(type(value), f"type({label})")
        if isinstance(value, _BESIDE) and _own(value):
            self._objects[id(value)] = label, value
        if isinstance(value, PLACED):
            self._reach(parts(value), label)
        elif "__wrapped__" in _own(value) and not of_cinta(value):
            self._reach(value.__wrapped__, label)
        elif hasattr(type(value), "_refers_to"):  # what tf.function or tf.custom_gradient made
            self._reach(value._refers_to(), label)

    def _items(self, value: Any, label: str) -> None:
        if not isinstance(value, (tuple, frozenset)):
            self._checks.append(Check(label, lambda: tuple(value), tuple(value)))
        for i, item in enumerate(value):
            self._reach(item, f"{label}[{i}]")

    def _dict(self, value: Mapping[Any, Any], label: str) -> None:
        self._checks.append(Check(label, lambda: tuple(value), tuple(value)))
        for key in value:
            self._check(f"{label}[{key!r}]", functools.partial(value.get, key))

    def _function(self, function: types.FunctionType, label: str) -> None:
        if of_library(function) or function.__code__ in self._apart:
            return
        made_of = functools.partial(_made_of, weakref.ref(function))
        self._checks.append(Check(label, made_of, made_of()))
        self._objects[id(function)] = label, function
        code, names = function.__code__, function.__globals__
        used = {name for inner in codes_in(code, self._apart) for name in names_in(inner).enclosed}
        for cell, name in zip(function.__closure__ or (), code.co_freevars, strict=True):
            if name in used:
                self._check(name, functools.partial(_content, cell))
        for inner in codes_in(code, self._apart):
            self.catches = self.catches or bool(inner.co_exceptiontable)
            found = names_in(inner)
            self._attributes |= found.attributes | (found.globals & (BUILTINS | ENVIRONMENT))
            self._written |= found.written
            self._any_attribute = self._any_attribute or found.any_attribute
            if found.anything:
                self.refused = f"it uses {min(found.anything)}()"
            for name in found.imports:
                module = _resolved(name, names.get("__package__"))
                self.outside.note_import(module)
                if not is_library(module):
                    self._check(module, functools.partial(sys.modules.get, module, _MISSING))
            for name in found.globals:
                if (id(names), name) not in self._met:
                    self._met.add((id(names), name))
                    self._check(name, functools.partial(names.get, name, _MISSING))
        for value in (function.__defaults__, function.__kwdefaults__):
            if value:
                self._reach(value, f"a default of {label}")

    def _settle(self) -> None:
        """Follow the attributes of objects until nothing new is in reach."""
        seen = -1
        while seen != (seen := len(self._objects) + len(self._attributes) + len(self._met)):
            while self._waiting:
                self._look(*self._waiting.popleft())
            for label, value in list(self._objects.values()):
                for name in self._names_of(value):
                    if (id(value), name) not in self._met:
                        self._met.add((id(value), name))
                        self._attribute(value, name, f"{label}.{name}")
        if self._any_attribute:  # so that code finds out which there are
            for label, value in self._objects.values():
                names = functools.partial(tuple, _own(value))
                if not is_opaque(value):
                    self._checks.append(Check(f"{label}.__dict__", names, names()))

    def _names_of(self, value: Any) -> set[str]:
        """The attributes of an object that any code in reach may look at."""
        names = set(self._attributes)
        if isinstance(value, types.ModuleType):
            own = {name for name in _own(value) if not name.startswith("__")}
            return names | own if self._any_attribute else names
        is_class = isinstance(value, type)
        kinds = value.__mro__ if is_class else type(value).__mro__
        own_kinds = [kind for kind in kinds if not of_library(kind)]
        for kind in own_kinds:  # its operators are called without being named
            names.update(name for name in vars(kind) if name.startswith("__"))
        if self._any_attribute and not is_opaque(value):
            names.update(_own(value), *map(vars, own_kinds))
        elif isinstance(value, Module) or not (is_class or own_kinds or is_opaque(value)):
            names.update(_own(value))  # code that is not looked into uses all of them
        return names - (_UNCALLED if is_class else _UNCALLED | _MAKING)

    def _attribute(self, value: Any, name: str, label: str) -> None:
        """Check what code gets that asks the object for this attribute, if there is one."""
        if isinstance(value, type):
            if _defined(value, name) is not _MISSING:
                self._check(label, functools.partial(getattr, value, name, _MISSING))
            return
        kind, own = type(value), _own(value)
        found = _defined(kind, name)
        if isinstance(found, types.MemberDescriptorType) or isinstance(value, threading.local):
            self._check(label, _weakly(value, name))
        elif isinstance(found, property):
            self._check(label, functools.partial(_looked_up, _EMPTY, kind, name))
            self._reach(found.fget, label)
        elif found is not _MISSING or name in own or name in self._written:
            self._check(label, functools.partial(_looked_up, own, kind, name))
            for each in kind.__mro__:  # super() calls those behind the first
                if name in vars(each) and not of_library(each):
                    self._check(f"{each.__name__}.{name}", functools.partial(vars(each).get, name))


def _defined(kind: type, name: str) -> Any:
    """What a class of a program defines by this name, unless a library does, or nobody."""
    for each in kind.__mro__:
        if name in vars(each):
            return _MISSING if of_library(each) else vars(each)[name]
    return _MISSING


def _looked_up(own: Mapping[str, Any], kind: type, name: str) -> Any:
    """An attribute of an object with this dictionary and class; the object itself is not kept."""
    return own[name] if name in own else getattr(kind, name, _MISSING)


def _own(value: Any) -> dict[str, Any]:
    """The attributes that an object has itself, without asking any code of its class."""
    try:
        return object.__getattribute__(value, "__dict__")  # type: ignore[no-any-return]
    except AttributeError:
        return _EMPTY


_EMPTY: dict[str, Any] = {}
_UNCALLED = frozenset(("__dict__", "__doc__", "__module__", "__qualname__", "__weakref__"))
"""What classes have that no code calls."""
_MAKING = frozenset(("__init__", "__new__", "__post_init__"))
"""What is called of a class, but not of its objects."""

_CONTAINERS: tuple[type, ...] = (
    *(list, tuple, set, frozenset, deque),
    *(type({}.keys()), type({}.values()), type({}.items())),
)
_SIMPLE = (*_ATOMS, *_FIXED)
_BESIDE = (*_CONTAINERS, *_SIMPLE, dict)
"""What may have attributes beside what it is."""
_BUFFERS = (bytearray, memoryview, array)
_GETTERS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)


def _resolved(name: str, package: str | None) -> str:
    """The name of a module, which may be relative to a package."""
    try:
        return resolve_name(name, package)
    except ImportError:
        return name


def _content(cell: types.CellType) -> Any:
    """What a variable of an enclosing function holds."""
    try:
        return cell.cell_contents
    except ValueError:  # nothing yet
        return _MISSING


def _made_of(ref: weakref.ref[types.FunctionType]) -> tuple[Any, ...]:
    """What a function computes with, beside what it names; nothing if it is no more."""
    function = ref()
    if function is None:
        return ()
    return function.__code__, function.__defaults__ or (), function.__kwdefaults__


def _weakly(value: Any, name: str) -> Callable[[], Any]:
    """How to fetch a slot of an object without keeping the object, where that can be."""
    try:
        ref = weakref.ref(value)
    except TypeError:
        return lambda: getattr(value, name, _MISSING)
    return lambda: getattr(ref(), name, _MISSING)


def _same(now: Any, was: Any) -> bool:
    """Whether a value is what it was, though it is another object."""
    if type(now) is not type(was):
        return False
    if isinstance(was, tuple):
        return len(now) == len(was) and all(map(_is_same, now, was))
    if isinstance(was, np.ndarray):
        return same_array(now, was)
    if not isinstance(was, _ATOMS) or now != was:
        return False
    return (bool(was) and not isinstance(was, complex)) or repr(now) == repr(was)  # -0.0, 0.0


def _is_same(now: Any, was: Any) -> bool:
    return now is was or _same(now, was)


def _short(value: Any) -> str:
    return shortened("nothing" if value is _MISSING else _brief.repr(value))


_brief = reprlib.Repr()  # it comes to an end in lists that are long, deep, or in themselves
_brief.maxstring = _brief.maxother = _brief.maxlong = 60
