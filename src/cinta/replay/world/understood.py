"""The kinds of things that are understood: for each, why, what to compare, and what to reach next.

A kind is a function of a ``Reach`` and of something ``Found`` there. Its docstring says why things
of this kind are understood. ``look`` finds the entry for a value; where there is none, the function
that reaches it runs as Python.
"""

from __future__ import annotations

import array
import datetime
import decimal
import functools
import gc
import logging
import random
import re
import sys
import threading
import types
import uuid
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from typing import TYPE_CHECKING, Any

import numpy as np

from ...derivatives.tape import GradientTape
from ...dtypes import DType
from ...engine.module import Module
from ...engine.op import Op
from ...engine.shapes import TensorShape
from ...engine.sparse_tensor import PLACED
from ...engine.tensor import Tensor
from ...engine.variable import Variable
from ..argument_structures import parts
from .callables import (
    ASKING_METHODS,
    LOCKING,
    READING,
    asked_by_numpy,
    asks_itself,
    is_compiled_by_jax,
    is_listed,
    is_listed_wrapper,
    makes_generators,
    may_answer_otherwise,
    of_opaque_library,
    tells_a_setting,
)
from .guards import MISSING, same
from .instances import instance, made_by_python, own_dict, own_names, reached_class
from .ownership import owner_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .reach import Found, Reach

    Kind = Callable[[Reach, Found], None]

MOST_ITEMS = 1000
"""How many items of a container are compared at each call; that takes some 20 microseconds."""

MOST_BYTES = 4096
"""How large an array is of which the content is compared at each call; that takes a microsecond."""


def look(reach: Reach, found: Found) -> None:
    """Compare a value and reach for what is in it, as the entry for its kind says."""
    kind = KINDS.get(type(found.value)) or _kind_of(found.value)
    kind(reach, found)
    package = package_of(found.value)
    reach.depend(package)
    if package == "numpy" and callable(found.value):
        reach.names |= asked_by_numpy(found.value)
    if type(found.value) in _DATES or (type(found.value) is type and found.value in _DATES):
        reach.asked |= ASKING_METHODS


def package_of(value: Any) -> str:
    """The package of a class or a function in C, or of the class of anything else."""
    kind = type(value)
    named = kind in _NAMED or issubclass(kind, type)
    return str((value if named else kind).__module__).partition(".")[0]


def identity(reach: Reach, found: Found) -> bool:
    """Check that it is the same object; whether it is met for the first time."""
    if not found.kept:
        expected = reach.guards.weak(found.value)
        condition = f"{found.source} is {expected}"
        if expected.endswith("()"):
            condition += " is not None"
        reach.guards.check(found.label, condition, found.source, expected)
    return reach.first(found.value)


# -- values that cannot change ---------------------------------------------------------------------


def constant(reach: Reach, found: Found) -> None:
    """It cannot change: another one that is equal is as good."""
    if not found.kept:
        was = reach.guards.bind(found.value)
        condition = f"{found.source} is {was} or same({found.source}, {was})"
        reach.guards.check(found.label, condition, found.source, was)


def fixed(reach: Reach, found: Found) -> None:
    """It does not change while it lives, as far as programs can see."""
    identity(reach, found)


def moment(reach: Reach, found: Found) -> None:
    """It cannot change, but for a zone that a program has made."""
    constant(reach, found)
    zone = found.value.tzinfo
    if zone is not None:
        reach.add(reach.found(zone, f"{found.label}.tzinfo", f"{found.source}.tzinfo"))


def tensor(reach: Reach, found: Found) -> None:
    """It cannot change; tapes may watch it."""
    if identity(reach, found):
        reach.watch(found.value)


def variable(reach: Reach, found: Found) -> None:
    """Its value is read at each call, and what else it has is compared."""
    if identity(reach, found):
        private = frozenset(name for name in own_dict(found.value) or () if name.startswith("_"))
        own_names(reach, found, besides=private)
        if type(found.value) is not Variable:
            reached_class(reach, found._replace(value=type(found.value)), made=False)


# -- containers ------------------------------------------------------------------------------------


def sequence(reach: Reach, found: Found) -> None:
    """It is its items, which are compared."""
    name = container(reach, found, len(found.value))
    if name is not None:
        items(reach, found, name, tuple(found.value))


def items(reach: Reach, found: Found, name: str, values: tuple[Any, ...]) -> None:
    """Compare items by their positions."""
    if all([type(x) in PLAIN for x in values]):
        _plain_items(reach, found, name, values)
        return
    for i, value in enumerate(values):
        reach.add(reach.found(value, f"{found.label}[{i}]", f"{name}[{i}]"))


def _plain_items(reach: Reach, found: Found, name: str, values: tuple[Any, ...]) -> None:
    """Compare items in their order: first whether they are the same objects, which is quick."""
    if values:
        was, all_same = reach.guards.bind(values), reach.guards.bind(_all_same)
        condition = f"all(map(is_, {name}, {was})) or {all_same}({name}, {was})"
        reach.guards.check(found.label, condition, name, was)


def queue(reach: Reach, found: Found) -> None:
    """It is its items and the room that it has for them."""
    sequence(reach, found)
    room, was = f"{found.source}.maxlen", repr(found.value.maxlen)
    reach.guards.check(found.label, f"{room} == {was}", room, was)


def elements(reach: Reach, found: Found) -> None:
    """It is its elements in the order in which they come."""
    name = container(reach, found, len(found.value))
    if name is not None:
        _plain_items(reach, found, name, tuple(found.value))
        for i, value in enumerate(found.value):
            if type(value) not in PLAIN:
                source = reach.guards.bind(value)
                reach.add(reach.found(value, f"{found.label}[{i}]", source, kept=True))


def mapping(reach: Reach, found: Found) -> None:
    """It is its keys in their order, and their values."""
    value = found.value
    viewed = gc.get_referents(value)[:1] if type(value) is types.MappingProxyType else ()
    if any([type(each) not in (dict, OrderedDict) for each in viewed]):
        reach.refuse(f"{found.label} is a view of a mapping that may give anything")
        return
    if value is sys.modules:
        reach.refuse(f"{found.label} holds all modules of a program, and more at any time")
    name = container(reach, found, len(value))
    if name is None:
        return
    keys = tuple(value)
    _plain_items(reach, found, name, keys)
    for i, key in enumerate(keys):
        if type(key) not in PLAIN:
            source = reach.guards.bind(key)
            reach.add(reach.found(key, f"key {i} of {found.label}", source, kept=True))
    if keys and all([type(x) in PLAIN for x in value.values()]):
        values = reach.guards.let(f"{name}.values()")
        _plain_items(reach, found, values, tuple(value.values()))
        return
    for key in keys:
        text = repr(key) if type(key) in (str, int, bool) else reach.guards.bind(key)
        reach.add(reach.found(value[key], f"{found.label}[{_short(key)}]", f"{name}[{text}]"))


def _short(key: Any) -> str:
    return repr(key) if type(key) in PLAIN else "…"


def dictionary_with_default(reach: Reach, found: Found) -> None:
    """It is a dictionary, and what makes the values that are not there."""
    mapping(reach, found)
    factory = found.value.default_factory
    source = f"{found.source}.default_factory"
    reach.add(reach.found(factory, f"{found.label}.default_factory", source))


def container(reach: Reach, found: Found, length: int) -> str | None:
    """Check type and length; the name of the container in what follows, None if it was there."""
    guards, kind = reach.guards, type(found.value)
    known = reach.containers.get(id(found.value))
    if known is not None:
        guards.check(found.label, f"{found.source} is {known}", found.source, known)
        return None
    if length > MOST_ITEMS:
        reach.refuse(
            f"{found.label} is a {kind.__name__} of {length} items, too many to compare at each "
            "call. Make a tensor of it, or pass it as an argument"
        )
        return None
    reach.first(found.value)
    name = reach.containers[id(found.value)] = guards.let(found.source)
    condition = f"type({name}) is {guards.bind(kind)} and len({name}) == {length}"
    guards.check(found.label, condition, name, guards.bind(_Was(kind, length)))
    return name


class _Was:
    """A container as messages speak of it."""

    def __init__(self, kind: type, length: int) -> None:
        self._text = f"{kind.__name__} of {length} items"

    def __repr__(self) -> str:
        return self._text


def _all_same(now: Any, was: tuple[Any, ...]) -> bool:
    return len(now) == len(was) and all(map(_is_same, now, was))


def _is_same(now: Any, was: Any) -> bool:
    """Whether two items are equal; classes of programs may say so of items that are not."""
    return now is was or (type(was) in PLAIN and same(now, was))


# -- arrays and buffers ----------------------------------------------------------------------------


def ndarray(reach: Reach, found: Found) -> None:
    """Its content is compared while it is small; a large one may be read at each call."""
    value = found.value
    plain = type(value) is np.ndarray and not value.dtype.hasobject
    if value.nbytes > MOST_BYTES and plain and found.converted and reach.reads_arrays:
        _read_at_each_call(reach, found)
    elif value.nbytes > MOST_BYTES:
        reach.refuse(
            f"{found.label} is an array of {value.nbytes} bytes, too large to compare at each "
            f"call. Write tf.constant({found.label}) inside, make a tensor of it, or pass it as an "
            "argument"
        )
    elif value.dtype.hasobject:
        name = container(reach, found, len(value.ravel()))
        for i, item in enumerate(value.flat if name else ()):
            reach.add(reach.found(item, f"{found.label}[{i}]", f"{name}.flat[{i}]"))
    else:
        _content(reach, found, _of_array)


def _read_at_each_call(reach: Reach, found: Found) -> None:
    """It is the same array, and of the same shape and dtype; recordings read what is in it."""
    if identity(reach, found):
        it, was = reach.guards.weak(found.value), reach.guards.bind(_form(found.value))
        now = f"{reach.guards.bind(_form)}({it})"
        reach.guards.check(found.label, f"{now} == {was}", now, was)
        reach.arrays.append(found.value)


def _form(array: Any) -> Any:
    return array.dtype, array.shape


def buffer(reach: Reach, found: Found) -> None:
    """Its bytes are compared while they are few."""
    if len(bytes(found.value)) > MOST_BYTES:
        reach.refuse(f"{found.label} is too large to compare at each call")
    _content(reach, found, _of_buffer)


def _content(reach: Reach, found: Found, content: Callable[[Any], Any]) -> None:
    guards = reach.guards
    was, now = guards.bind(content(found.value)), f"{guards.bind(content)}({found.source})"
    reach.first(found.value)
    guards.check(found.label, f"{now} == {was}", found.source, was, late=True)


def _of_array(value: Any) -> Any:
    if type(value) is not np.ndarray:
        return None
    return value.dtype, value.shape, value.strides, value.flags.writeable, value.tobytes()


def _of_buffer(value: Any) -> Any:
    return type(value), getattr(value, "typecode", ""), bytes(value)


# -- what can be called ----------------------------------------------------------------------------


def function(reach: Reach, found: Found) -> None:
    """Its code is read by the same rule."""
    value, guards = found.value, reach.guards
    if not identity(reach, found):
        return
    if tells_a_setting(value):
        reach.unchanged(f"{found.label}()", value)
    if str(value.__module__).startswith("cinta.experimental.numpy"):
        reach.depend("cinta.experimental.numpy")
    if value is logging.getLogger:
        reach.depend("loggers")
    if is_listed(value) or is_listed_wrapper(value) or of_opaque_library(value):
        made_of(reach, found)
        return
    if asks_itself(value):
        reach.refuse(f"it calls {found.label}(), which may answer otherwise at each call")
        return
    it, code = guards.weak(value), guards.bind(value.__code__)
    guards.check(found.label, f"{it}.__code__ is {code}", f"{it}.__code__", code)
    for name in ("__defaults__", "__kwdefaults__"):
        default = getattr(value, name)
        reach.add(reach.found(default, f"a default of {found.label}", f"{it}.{name}"))
    own_names(reach, found)
    reach.read(value, found.label)


def made_of(reach: Reach, found: Found) -> None:
    """Reach for the program's functions of which a library made this one."""
    for cell in found.value.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:
            continue
        if callable(value) and not isinstance(value, type) and type(value) is not Op:
            source = f"{reach.guards.bind(cell)}.cell_contents"
            reach.add(reach.found(value, found.label, source))


def builtin(reach: Reach, found: Found) -> None:
    """It is in the list of callables that look at nothing but their arguments."""
    value = found.value
    owner = getattr(value, "__self__", None)
    if isinstance(owner, _GENERATORS):
        generator(reach, found._replace(value=owner, label=found.label.rpartition(".")[0]))
        identity(reach, found)
    elif is_listed(value) or (isinstance(owner, type) and is_listed(owner) and owner not in _DATES):
        identity(reach, found)
    elif owner is None or isinstance(owner, (types.ModuleType, type)):
        _refuse_callable(reach, found)
    else:
        reach.refuse(
            f"{found.label} is a method of a {type(owner).__name__}, which may hold anything at "
            "the next call. Call the method by its name, on an object that the function refers to"
        )


def _refuse_callable(reach: Reach, found: Found) -> None:
    if may_answer_otherwise(found.value):
        reach.refuse(f"it calls {found.label}(), which may answer otherwise at each call")
    else:
        reach.refuse(
            f"{found.label} is a {type(found.value).__name__} of {found.value.__module__}, of "
            "which it is not known what it looks at. Call it outside, and pass what it gives"
        )


def ufunc(reach: Reach, found: Found) -> None:
    """NumPy's and SciPy's are functions of numbers; others may call Python."""
    if not is_listed(found.value):
        unknown(reach, found)
        return
    identity(reach, found)
    if vars(np).get(found.value.__name__) is not found.value:
        reach.depend("scipy")


def descriptor(reach: Reach, found: Found) -> None:
    """A method of a class in C looks at its object and its arguments."""
    owner = found.value.__objclass__
    if is_listed(owner) or owner.__flags__ & _HEAP or issubclass(owner, BaseException):
        identity(reach, found)
    else:
        unknown(reach, found)


_HEAP = 1 << 9  # set for classes that Python code has made


def method(reach: Reach, found: Found) -> None:
    """It is a function and an object."""
    value = found.value
    if isinstance(value.__self__, _GENERATORS):
        generator(reach, found._replace(value=value.__self__, label=found.label.rpartition(".")[0]))
        return
    name, label = _let(reach, found), found.label.rpartition(".")[0] or found.label
    reach.add(reach.found(value.__self__, label, f"{name}.__self__"))
    reach.add(reach.found(value.__func__, found.label, f"{name}.__func__"))


def partial(reach: Reach, found: Found) -> None:
    """It is a function and some of its arguments."""
    name = _let(reach, found)
    for part in ("func", "args", "keywords"):
        label = found.label if part == "func" else f"{found.label}.{part}"
        reach.add(reach.found(getattr(found.value, part), label, f"{name}.{part}"))
    own_names(reach, found)


def _let(reach: Reach, found: Found) -> str:
    """A name for what is made anew each time that it is asked for; its type is checked."""
    name, kind = reach.guards.let(found.source), reach.guards.bind(type(found.value))
    reach.guards.check(found.label, f"type({name}) is {kind}", name, kind)
    return name


def property_(reach: Reach, found: Found) -> None:
    """It is functions."""
    if identity(reach, found):
        for part in ("fget", "fset", "fdel"):
            kept_part(reach, found, part)


def wrapper(reach: Reach, found: Found) -> None:
    """It is a function, which it gives as a method or as it is."""
    if identity(reach, found):
        kept_part(reach, found, "__func__")


def cached_property(reach: Reach, found: Found) -> None:
    """It is a function, called when its object has no attribute of that name."""
    if identity(reach, found):
        kept_part(reach, found, "func")


def kept_part(reach: Reach, found: Found, name: str) -> None:
    """Reach for a part that is there as long as the whole is."""
    part = getattr(found.value, name)
    if part is not None:
        reach.add(reach.found(part, found.label, reach.guards.weak(part), kept=True))


# -- modules, classes, and what libraries keep -----------------------------------------------------


def module(reach: Reach, found: Found) -> None:
    """Its names are compared as far as code names them."""
    value = found.value
    if not identity(reach, found) or of_opaque_library(value):
        return
    if "__getattr__" in vars(value) and not reach.of_library(value):
        reach.refuse(f"{found.label} is a module with a __getattr__, which may give anything")
    space = reach.space(vars(value), vars(value), found.label)
    space.open_to = _names_of_module


def _names_of_module(reach: Reach) -> set[str]:
    return reach.names


def class_(reach: Reach, found: Found) -> None:
    """Its methods are read, and its attributes compared as far as code names them."""
    if not identity(reach, found) and (found.asked or not reach.first(found.value, "made")):
        return
    if makes_generators(found.value):
        reach.makes_generators = True
    elif is_listed(found.value) or of_opaque_library(found.value):
        reach.count_registrations(found.value)
    elif may_answer_otherwise(found.value) or not made_by_python(found.value):
        _refuse_callable(reach, found)
    else:
        reached_class(reach, found, made=not found.asked)


def generator(reach: Reach, found: Found) -> None:
    """A generator of random numbers; its state tells whether it was used."""
    reach.first(found.value)
    reach.generators[found.label] = found.value


def maker(reach: Reach, found: Found) -> None:
    """It makes a generator of random numbers; the recording tells whether it asks for a seed."""
    identity(reach, found)
    reach.makes_generators = True


def logger(reach: Reach, found: Found) -> None:
    """What is logged does not come back; what may be logged is compared."""
    if identity(reach, found):
        own_names(reach, found)
        level = f"{reach.guards.weak(found.value)}.getEffectiveLevel()"
        was = found.value.getEffectiveLevel()
        reach.guards.check(found.label, f"{level} == {was}", level, str(was), late=True)


def stream(reach: Reach, found: Found) -> None:
    """Where Python prints: what is written there does not come back."""
    identity(reach, found)
    reach.asked |= READING


def lock(reach: Reach, found: Found) -> None:
    """It keeps other threads away while the Python runs; a replay has nothing that they disturb."""
    identity(reach, found)
    reach.asked |= LOCKING


def tape(reach: Reach, found: Found) -> None:
    """It is not: a replay does not tell it of the ops that it would hear."""
    reach.refuse(f"it uses a tape from outside, {found.label}")


def of_cinta(reach: Reach, found: Found) -> None:
    """It tells the recorder what it does; what users gave to it is reached."""
    if not identity(reach, found):
        return
    value = found.value
    if isinstance(value, PLACED):
        for part in parts(value):
            _kept(reach, found, part)
    elif hasattr(type(value), "_refers_to"):  # what tf.function or tf.custom_gradient made
        for part in value._refers_to():
            _kept(reach, found, part)


def _kept(reach: Reach, found: Found, part: Any) -> None:
    reach.add(reach.found(part, found.label, reach.guards.weak(part), kept=True))


def unknown(reach: Reach, found: Found) -> None:
    """There is no entry for it: the function runs as Python."""
    of_library = not made_by_python(type(found.value))
    if of_library and callable(found.value) and may_answer_otherwise(found.value):
        _refuse_callable(reach, found)
    if found.value is sys.stdout or found.value is sys.stderr:
        stream(reach, found)
        return
    kind = type(found.value)
    reach.refuse(
        f"{found.label} is a {kind.__module__}.{kind.__qualname__}, and it is not known when that "
        "changes. Pass what the function needs of it as an argument"
    )


# -- the table -------------------------------------------------------------------------------------

PLAIN: frozenset[type] = frozenset((int, float, complex, bool, str, bytes, type(None)))
_Pair = namedtuple("_Pair", "left")  # its attributes are of a class that has no name in Python
_DATES = (datetime.date, datetime.datetime)
_GENERATORS = (
    random.Random,
    np.random.RandomState,
    np.random.Generator,
    np.random.BitGenerator,
)

_NAMED = frozenset((types.FunctionType, types.BuiltinFunctionType, type(np.sum)))
"""What has the name of its module."""

KINDS: dict[type, Kind] = {
    **dict.fromkeys(PLAIN, constant),
    **dict.fromkeys((range, type(...), type(NotImplemented), type(MISSING)), constant),
    **dict.fromkeys((datetime.date, datetime.timedelta), constant),
    **dict.fromkeys((datetime.datetime, datetime.time), moment),
    **dict.fromkeys((datetime.timezone, decimal.Decimal, uuid.UUID, re.Pattern), constant),
    **dict.fromkeys((DType, TensorShape, Op, types.CodeType), fixed),
    type(_Pair.left): fixed,
    **dict.fromkeys((list, tuple), sequence),
    deque: queue,
    **dict.fromkeys((set, frozenset), elements),
    **dict.fromkeys((dict, OrderedDict, Counter, types.MappingProxyType), mapping),
    defaultdict: dictionary_with_default,
    np.ndarray: ndarray,
    **dict.fromkeys((bytearray, array.array), buffer),
    types.FunctionType: function,
    types.BuiltinFunctionType: builtin,
    type(np.sum): builtin,
    np.ufunc: ufunc,
    types.MethodType: method,
    **dict.fromkeys(
        (
            *(types.MethodDescriptorType, types.WrapperDescriptorType, types.MemberDescriptorType),
            *(types.GetSetDescriptorType, types.ClassMethodDescriptorType),
        ),
        descriptor,
    ),
    functools.partial: partial,
    property: property_,
    **dict.fromkeys((staticmethod, classmethod), wrapper),
    functools.cached_property: cached_property,
    types.ModuleType: module,
    type: class_,
    Tensor: tensor,
    **dict.fromkeys((type(threading.Lock()), type(threading.RLock())), lock),
    **dict.fromkeys((logging.Logger, logging.RootLogger), logger),
}


def _kind_of(value: Any) -> Kind:
    """The entry for a value of which the class is not in the table itself."""
    kind = type(value)  # not isinstance, which may run code of the class
    of_program = owner_of(kind) is None
    for each, entry in _FAMILIES.items():
        if issubclass(kind, each) and not (of_program and each in _SEALED):
            return entry
    if makes_generators(value):
        return maker
    if is_listed(value) or is_compiled_by_jax(value):
        return fixed
    return of_cinta if owner_of(kind) == "cinta" and not issubclass(kind, Module) else instance


_SEALED = frozenset((np.generic, np.dtype, *_GENERATORS))
"""What is not understood if a program has made a class of its own of it."""

_FAMILIES: dict[type, Kind] = {
    type: class_,
    np.void: unknown,
    np.generic: constant,
    np.dtype: constant,
    **dict.fromkeys(_GENERATORS, generator),
    GradientTape: tape,
    Variable: variable,
}
"""The entries that go for all classes made from these."""
