"""Objects and their classes: what classes are made of by Python code, and what objects hold.

An object is understood if all classes that it is of are made by Python code, or are in a short list
of Python's own. Its methods are code, its attributes are compared as far as any code names them.
"""

from __future__ import annotations

import abc
import enum
import functools
import types
import typing
from collections import OrderedDict, defaultdict, deque
from typing import TYPE_CHECKING, Any

from ...engine.module import Module, Owner
from ...engine.registered_conversions import conversions_of
from ...engine.variable import Variable
from . import kinds
from .code import SHOWN
from .guards import MISSING
from .ownership import owner_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .reach import Found, Reach


# -- classes ---------------------------------------------------------------------------------------

_HEAP = 1 << 9  # the flag of classes that were made while Python ran
_IN_C = (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType)
_METACLASSES = frozenset((type, abc.ABCMeta, enum.EnumMeta, type(typing.Protocol)))
_MARKERS = frozenset((typing.Generic, typing.Protocol, abc.ABC, *_METACLASSES))
_TAKEN_AS_THEY_ARE = ("cinta", "keras", "attr")
"""Libraries whose classes have methods that look at nothing but objects and arguments."""
_MAKING = frozenset(("__init__", "__new__", "__post_init__", "__init_subclass__"))
"""Methods that are called of a class, but not of its objects."""
_UNCALLED = frozenset(
    (
        *("__dict__", "__doc__", "__module__", "__qualname__", "__weakref__", "__slots__"),
        *("__annotations__", "__parameters__", "__orig_bases__", "__abstractmethods__"),
        *("__dataclass_fields__", "__dataclass_params__", "__static_attributes__"),
        *("__attrs_attrs__", "__attrs_props__"),
        *("__firstlineno__", "__classdictcell__", "_abc_impl"),
    )
)
"""Attributes of classes that Python does not call by itself."""
_SHOWN = frozenset(("__name__", "__qualname__", "__doc__", "__module__", "__annotations__"))
"""Names of functions and classes that are not among their attributes."""


@functools.cache
def _specials() -> frozenset[str]:
    """The names of methods that Python calls by itself."""
    kinds = (int, float, complex, list, dict, set, str, bytes, type, types.GeneratorType)
    found = {name for kind in kinds for name in dir(kind) if name.startswith("__")}
    others = (
        "__call__ __enter__ __exit__ __bool__ __getattr__ __get__ __set__ __index__ __missing__"
    )
    more = ["__length_hint__", "__fspath__", "__copy__", "__deepcopy__", "keys", "close"]
    last = "__next__ __matmul__ __rmatmul__ __imatmul__ __array__ __tf_tensor__ __array_ufunc__"
    arrays = "__array_interface__ __array_struct__ __array_function__ __array_priority__"
    names = {*found, *others.split(), *more, *last.split(), *arrays.split()}
    return frozenset(names - _MAKING - _UNCALLED)


def made_by_python(kind: type) -> bool:
    """Whether a class has nothing that is not in its dictionary or in its objects' slots."""
    if not kind.__flags__ & _HEAP:
        return False
    return not any([isinstance(x, _IN_C) and x.__objclass__ is kind for x in vars(kind).values()])


def base_of(kind: type) -> type | None:
    """The class in C that a class is made from, if that is understood; else None."""
    for each in kind.__mro__:
        if not (made_by_python(each) or each in _MARKERS):  # some of which are in C by now
            return each if each in _PLAIN_FORM or each in _HOLLOW else None
    return None


def _is_protocol(kind: type) -> bool:
    """Whether it stands for all classes that have some attributes."""
    return type(kind) is type(typing.Protocol) and bool(vars(kind).get("_is_protocol"))


def reached_class(reach: Reach, found: Found, *, made: bool = True) -> None:
    """Read the methods of a class of the program; ``made`` says that objects are made of it."""
    kind = found.value
    label, guards = kind.__name__, reach.guards
    if _is_protocol(kind) and (made or vars(kind).get("_is_runtime_protocol")):
        reach.refuse(f"{found.label} is a protocol, which classes fulfil when they get attributes")
    if base_of(kind) is None and not issubclass(kind, BaseException):
        reach.refuse(f"{found.label} is a class made from one in C of which too little is known")
        return
    if reach.first(kind, "bases"):
        for each in kind.__mro__:
            guards.weak(each)  # none of them may go: another one could have its identity
        it, mro = guards.weak(kind), guards.bind([id(each) for each in kind.__mro__])
        condition = f"[*map(id, {it}.__mro__)] == {mro}"
        guards.check(f"the bases of {label}", condition, f"{it}.__mro__", mro)
        if issubclass(type(kind), abc.ABCMeta):
            reach.count_registrations(kind)
        if issubclass(kind, enum.Enum):
            for name, member in kind._member_map_.items():
                member_label = f"{label}.{name}"
                reach.add(reach.found(member, member_label, guards.weak(member), kept=True))
        for function in conversions_of(kind):  # registering another one drops all recordings
            converter = f"what makes tensors of {label}"
            reach.add(reach.found(function, converter, guards.weak(function), kept=True))
    for each in (*kind.__mro__, *type(kind).__mro__):
        if is_closed(each):
            reach.depend(owner_of(each) or "")
        elif made_by_python(each):
            _read_class(reach, each, made)


def is_closed(kind: type) -> bool:
    """Whether the methods of a class need not be read."""
    if kind in _MARKERS or owner_of(kind) in _TAKEN_AS_THEY_ARE:
        return True
    return kind.__module__ == "enum" and owner_of(kind) is not None


def _read_class(reach: Reach, kind: type, made: bool) -> None:
    space = reach.space(kind, vars(kind), kind.__name__)
    if made or space.open_to is None:
        space.open_to = functools.partial(_names_of_class, kind, made)
    shown = reach.space(kind, Shown(reach, kind), kind.__name__, "shown")
    shown.open_to = _names_shown


def _names_of_class(kind: type, made: bool, reach: Reach) -> set[str]:
    """The names that count: those that code or libraries name, and what Python calls by itself."""
    own, besides = vars(kind), set(_UNCALLED)
    of_library = owner_of(kind) is not None
    if of_library or SHOWN not in reach.names:
        besides |= _SHOWING | _COPYING if of_library else _SHOWING
    if not made and reach.names.isdisjoint(("__class__", "__new__")):  # no object is made of it
        besides |= {*_MAKING, "__call__"} if issubclass(kind, type) else _MAKING
    called = {name for name in own if name.startswith("__")} | _specials()
    if reach.any_attribute:
        called |= own.keys()
    if issubclass(kind, enum.Enum):
        called |= {"_missing_", "_member_names_"}  # the latter are looked at by len and loops
        besides |= kind._member_map_.keys() | _OF_ENUM
    besides -= reach.names & _FIELDS
    return ((called | reach.names) - besides) | names_in_library(*kind.__mro__)


def _names_shown(reach: Reach) -> set[str]:
    return reach.names & _SHOWN


_SHOWING = frozenset(("__repr__", "__str__", "__format__"))
_COPYING = frozenset(("__reduce__", "__reduce_ex__", "__copy__", "__deepcopy__"))
"""Methods that show and copy objects; in libraries' classes, by results of other methods."""

FIELDS = "__dataclass_fields__"
"""The attribute of dataclasses in which the functions of ``dataclasses`` find the fields."""

_FIELDS = frozenset((FIELDS, "__attrs_attrs__", "__attrs_props__"))
"""These, and those in which attrs finds them."""

_OF_ENUM = frozenset((*_MAKING, "_generate_next_value_", "_member_map_", "_value2member_map_"))
"""Names that make enumerations, and names that Python makes for their members."""


class Shown:
    """The descriptive names of functions and classes, as a namespace."""

    def __init__(self, reach: Reach, of: object) -> None:
        self._of = reach.guards.follow(of)

    def get(self, name: str, default: object) -> object:
        """The value of this name."""
        return getattr(self._of(), name, default)

    def keys(self) -> set[str]:
        """There may be any of them."""
        return set()

    def __iter__(self) -> Iterator[object]:
        return iter(())


# -- objects ---------------------------------------------------------------------------------------

_PLAIN_FORM: dict[type, Callable[[Any], Any]] = {
    list: list.copy,
    dict: dict.copy,
    set: lambda x: {*set.__iter__(x)},
    tuple: lambda x: (*tuple.__iter__(x),),
    frozenset: lambda x: frozenset(frozenset.__iter__(x)),
    deque: lambda x: [*deque.__iter__(x)],
    OrderedDict: lambda x: dict(OrderedDict.items(x)),
    defaultdict: lambda x: {**dict.copy(x), MISSING: x.default_factory},
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
    str: str.__str__,
    bytes: bytes.__bytes__,
}
"""A function for the content of objects of classes made from these, beside their attributes."""

_HOLLOW = frozenset((object, type, types.SimpleNamespace))
"""Base classes of objects that hold nothing but attributes."""


def instance(reach: Reach, found: Found) -> None:
    """It is its class, its attributes, and its items if it is a container too."""
    value, kind = found.value, type(found.value)
    base = base_of(kind)
    own = own_dict(value)
    if base is None or (own is None and has_attributes(value)):
        kinds.unknown(reach, found)
        return
    if base in _PLAIN_FORM:
        plain = _PLAIN_FORM[base]
        source = f"{reach.guards.bind(plain)}({found.source})"
        content = plain(value)
        reach.first(content)
        kinds.look(reach, reach.found(content, found.label, source))
    if own is None and base in _PLAIN_FORM:
        source, expected = f"type({found.source})", reach.guards.bind(kind)
        reach.guards.check(found.label, f"{source} is {expected}", source, expected)
        reach.by_content.note(found)
        first = reach.first(value)
    else:
        first = _same_object(reach, found, own)
    if first:
        reached_class(reach, found._replace(value=kind), made=False)
        _attributes(reach, found, own)


def _same_object(reach: Reach, found: Found, own: dict[str, Any] | None) -> bool:
    """Check that it is the same object, of the same class, with the same dictionary."""
    guards, kind = reach.guards, type(found.value)
    it, label = guards.weak(found.value), found.label
    where = it if found.kept else found.source
    condition = f"type(v := {where}) is {guards.bind(kind)}"
    if not found.kept:
        condition = f"(v := {where}) is {it} and type(v) is {guards.bind(kind)}"
    if own is not None:
        plain = not any(["__getattribute__" in vars(x) for x in kind.__mro__[:-1]])
        look = "v.__dict__" if plain else f"{guards.bind(object.__getattribute__)}(v, '__dict__')"
        condition += f" and {look} is {guards.bind(own)}"
    guards.check(label, condition, where, it)
    return reach.first(found.value)


def own_dict(value: object) -> dict[str, Any] | None:
    """The attributes that an object has itself, without asking any code of its class."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return found if type(found) is dict else None


def has_attributes(value: object) -> bool:
    """Whether an object has a dictionary of its own attributes, of whatever class."""
    try:
        object.__getattribute__(value, "__dict__")
    except AttributeError:
        return False
    return True


def own_names(reach: Reach, found: Found, besides: frozenset[str] = frozenset()) -> None:
    """Compare the attributes that were given to a thing of Python's or of this package."""
    own = own_dict(found.value)
    if own is not None:
        space = reach.space(own, own, found.label)
        space.open_to = functools.partial(_names_of_object, own, besides)
    if isinstance(found.value, types.FunctionType):
        shown = reach.space(found.value, Shown(reach, found.value), found.label, "shown")
        shown.open_to = _names_shown


def _names_of_member(reach: Reach) -> set[str]:
    return reach.names | {"_value_", "_name_"}


def _names_of_object(own: dict[str, Any], besides: frozenset[str], reach: Reach) -> set[str]:
    return reach.names | (own.keys() - besides if reach.any_attribute else set())


def _attributes(reach: Reach, found: Found, own: dict[str, Any] | None) -> None:
    value, kind = found.value, type(found.value)
    label = found.label
    if own is not None:
        space = reach.space(own, own, label)
        named = space.asked_by_libraries = names_in_library(*kind.__mro__) - {"_owned"}
        if issubclass(kind, enum.Enum):
            space.open_to = _names_of_member
        elif named:
            space.open_to = functools.partial(_names_of_tracked, own, named)
        elif issubclass(kind, types.SimpleNamespace):  # its text and its equality are all of it
            space.open_to = functools.partial(_names_of_tracked, own, frozenset(own))
        else:
            besides = _BOOKKEEPING if issubclass(kind, Module) else frozenset[str]()
            space.open_to = functools.partial(_names_of_object, own, besides)
        if issubclass(kind, (Module, Owner)):
            space.otherwise = untold
    slots = [
        (name, each)
        for cls in kind.__mro__
        if made_by_python(cls)
        for name, each in vars(cls).items()
        if isinstance(each, types.MemberDescriptorType)
    ]
    if slots:
        held = reach.space(value, Slots(reach, value, dict(slots)), label, "slots")
        held.open_to = functools.partial(_names_of_slots, frozenset(dict(slots)))


def _names_of_slots(slots: frozenset[str], reach: Reach) -> set[str]:
    return {*slots} if reach.any_attribute else reach.names & slots


class Slots:
    """The slots of an object, as a namespace."""

    def __init__(self, reach: Reach, value: object, slots: dict[str, Any]) -> None:
        self._of, self._slots = reach.guards.follow(value), slots

    def get(self, name: str, default: object) -> object:
        """The content of the slot, if there is any."""
        try:
            return self._slots[name].__get__(self._of())
        except AttributeError:
            return default

    def keys(self) -> list[str]:
        """The slots that are filled."""
        return [name for name in self._slots if self.get(name, MISSING) is not MISSING]

    def __iter__(self) -> Iterator[object]:
        return iter(self.keys())


# -- modules, layers and models --------------------------------------------------------------------

_BOOKKEEPING = frozenset(
    (
        *("_owned", "_tracker", "_lock", "_auto_config", "_call_signature", "_losses", "_loss_ids"),
        *("_losses_override", "_inbound_nodes", "_outbound_nodes", "_tracked", "_called"),
        *("_build_shapes_dict", "_saved_model_inputs_spec", "_saved_model_arg_spec", "_nodes"),
        *("train_function", "test_function", "predict_function", "stop_training", "history"),
    )
)
"""Attributes in which modules, layers and models note what does not come back to programs."""


def names_in_library(*kinds: type) -> frozenset[str]:
    """The attributes that libraries' code names in the classes of an object."""
    of_library = [each for each in kinds if owner_of(each) in _TAKEN_AS_THEY_ARE]
    return frozenset().union(*map(_names_in_class, of_library))


@functools.cache
def _names_in_class(kind: type) -> frozenset[str]:
    """The attributes that the code of a library's class names."""
    return frozenset(name for member in vars(kind).values() for name in _names_in_member(member))


def _names_in_member(member: object) -> tuple[str, ...]:
    if isinstance(member, property):
        member = member.fget
    member = getattr(member, "__func__", member)
    return member.__code__.co_names if isinstance(member, types.FunctionType) else ()


def _names_of_tracked(own: dict[str, Any], named: frozenset[str], reach: Reach) -> set[str]:
    return _names_of_object(own, _BOOKKEEPING, reach) | (own.keys() & named - _BOOKKEEPING)


def untold(reach: Reach, found: Found) -> None:
    """An attribute that no code names: it matters whether there are variables in it."""
    value, guards = found.value, reach.guards
    contains = type(value) in (list, tuple, dict, set)
    tracked = issubclass(type(value), (Module, Owner, Variable))
    if tracked or (contains and not holds_only_plain(value)):
        reach.add(found)
        return
    kind = guards.bind(type(value))
    condition = f"type({found.source}) is {kind}"
    if contains:
        condition += f" and {guards.bind(holds_only_plain)}({found.source})"
    guards.check(found.label, condition, found.source, kind)


def holds_only_plain(value: Any) -> bool:
    """Whether there are only numbers and texts in a container."""
    items = value.values() if type(value) is dict else value
    return kinds.PLAIN.issuperset(map(type, items))
