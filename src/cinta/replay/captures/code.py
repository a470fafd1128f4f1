"""The names in a piece of Python code, read from its bytecode.

The code is followed with a stack of what is known of each value: a constant, or a *path*, which is
a name and the attributes asked of it, as in ``np.linalg.norm``. All else is unknown. Where ways
join, everything becomes unknown, so that what is known holds on all ways.
"""

from __future__ import annotations

import dis
import functools
import re
import types
from typing import TYPE_CHECKING, Any, NamedTuple

from .instructions import instructions, stored_once
from .uses import (
    BY_ARGUMENT,
    FORM,
    ClassOf,
    Form,
    Item,
    Literal,
    Method,
    Operator,
    Part,
    Path,
    Use,
    asks_by_name,
    is_key,
    last_name,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from .uses import Taker

_NAMED = {
    **dict.fromkeys(("LOAD_GLOBAL", "LOAD_NAME"), "global"),
    **dict.fromkeys(("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"), "enclosed"),
}
_REBOUND = {
    **dict.fromkeys(("STORE_GLOBAL", "DELETE_GLOBAL"), "global"),
    **dict.fromkeys(("STORE_DEREF", "DELETE_DEREF"), "enclosed"),
}
_NO_EFFECT = frozenset(("EXTENDED_ARG", "PRECALL", "KW_NAMES", "NOP", "CACHE", "RESUME"))
_MAKING = frozenset(("BUILD_TUPLE", "BUILD_LIST", "BUILD_SLICE"))
_MATCHING = {"MATCH_MAPPING": "Mapping", "MATCH_SEQUENCE": "Sequence"}
"""The abstract class that a pattern asks for; programs may register classes as such."""
_BY_NAME = frozenset(
    (
        *BY_ARGUMENT,
        *("vars", "dir", "__dict__", "__getattribute__", "format_map", "vformat"),
        *("attrgetter", "methodcaller", "getattr_static", "getmembers", "getmembers_static"),
        *("asdict", "astuple", "deepcopy", "__reduce__", "__reduce_ex__", "__getstate__"),
    )
)
"""Functions that reach attributes by names that are not written in the code."""
_SETTERS = frozenset(("__setattr__", "__delattr__"))
"""Methods that set attributes by name; in methods of these names, the callers name them."""
_SHOWING = frozenset(("repr", "str", "ascii", "format", "print", "__repr__", "__str__"))
"""Functions that show objects, by methods of their classes or by the names of these."""

SHOWN = "__qualname__"
"""Names in code that show objects: the name of a class stands in their texts."""

SAME = "is"
"""Names in code that asks whether two values are one object."""
_ASKING_IDENTITY = frozenset(("is_", "is_not"))


class Names(NamedTuple):
    """The names in a piece of code.

    ``handed`` are functions that it makes and hands to a callable, and the path of that;
    ``attributes`` are asked of values of which nothing is known; ``any_attribute`` says that it may
    get at attributes by names that it computes.
    """

    uses: frozenset[Use]
    handed: frozenset[tuple[Path, types.CodeType]]
    attributes: frozenset[str]
    any_attribute: bool


@functools.cache
def names_in(code: types.CodeType) -> Names:
    """The names in a piece of code, without the functions in it."""
    reader = _Reader(code)
    for instruction in instructions(code):
        reader.read(instruction)
    reader.end()
    return Names(
        frozenset(reader.uses),
        frozenset(reader.handed),
        frozenset(reader.attributes),
        reader.any_attribute,
    )


def codes_in(
    code: types.CodeType, apart: Collection[types.CodeType] = ()
) -> Iterator[types.CodeType]:
    """A function's code and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant not in apart:
            yield from codes_in(constant, apart)


_TYPE = Path("global", "type")
_ASKING_CLASSES = frozenset(("isinstance", "issubclass", "__get__"))
"""Functions that take classes and make no objects of them."""
_COMPARING = frozenset(("IS_OP", "COMPARE_OP", "CONTAINS_OP"))


class _Reader:
    """Follows the instructions of one piece of code."""

    def __init__(self, code: types.CodeType) -> None:
        self._name = code.co_name
        self._parts: dict[str, Part | None] = dict.fromkeys(stored_once(code))
        self._loaded: set[str] = set()
        self.uses: set[Use] = set()
        self.handed: set[tuple[Path, types.CodeType]] = set()
        self.attributes: set[str] = set()
        self.any_attribute = False
        self._stack: list[Any] = []
        self._by_name = 0  # how many arguments the next call gives by name

    def read(self, each: dis.Instruction) -> None:
        """Follow one instruction."""
        if each.is_jump_target:
            self.forget()
        name = each.opname
        if name == "KW_NAMES":
            self._by_name = len(each.argval) if isinstance(each.argval, tuple) else each.arg or 1
        if name in _NO_EFFECT:
            return
        if name in _NAMED:
            self._push(each, Path(_NAMED[name], each.argval))
        elif name == "LOAD_SUPER_ATTR":
            self._of_super(each)
        elif name in ("LOAD_ATTR", "LOAD_METHOD"):
            self._push(each, self._attribute(self._pop(), each.argval))
        elif name == "LOAD_CONST":
            self._stack.append(Literal(each.argval))
        elif name == "CALL":
            self._call(each.arg or 0, each.offset)
        elif name == "CALL_KW":
            names = self._pop()
            self._by_name = len(names.value) if isinstance(names, Literal) else each.arg or 0
            self._call(each.arg or 0, each.offset)
        elif name == "BINARY_SUBSCR" or (name == "BINARY_OP" and each.argrepr == "[]"):
            self._item(self._pop())
        elif name in _MAKING or name.startswith("UNARY_"):
            self._drop((each.arg or 0) if name in _MAKING else 1)
            self._stack.append(None)
        elif name == "BINARY_SLICE":
            self._drop(2)
            self._item(None)
        elif name == "BINARY_OP":
            self._operator(each)
        elif name in _COMPARING:
            self._compare(name)
        elif name == "STORE_FAST" and self._stores_part(each.argval):
            self._parts[each.argval] = self._pop()
        elif name.startswith("LOAD_FAST") and self._parts.get(each.argval) is not None:
            self._loaded.add(each.argval)
            self._stack.append(self._parts[each.argval])
        elif name == "SWAP" and (each.arg or 0) <= len(self._stack):
            self._swap(each.arg or 0)
        elif name == "MAKE_FUNCTION":
            self._make(each.arg or 0)
        elif name == "SET_FUNCTION_ATTRIBUTE":
            self._make(1)  # the defaults, the annotations or the variables around it
        elif name in ("STORE_ATTR", "DELETE_ATTR"):
            self._used(self._attribute(self._pop(), each.argval), Form(each.argval))
            self._other(each, taken=1)
        elif name == "IMPORT_NAME":
            self._import(each.argval)
        else:
            if name in _REBOUND:
                self.uses.add(Use(Path(_REBOUND[name], each.argval)))
            elif name == "MATCH_CLASS":
                self._match()
            elif name in _MATCHING:
                self.uses.add(Use(Path("import", "collections.abc", (_MATCHING[name],))))
            elif name.startswith("FORMAT_"):
                self.attributes.add(SHOWN)
            self._other(each)

    def forget(self) -> None:
        """Take all values on the stack for unknown from here on."""
        for value in self._stack:
            self._used(value)
        self._stack = [None] * len(self._stack)

    def end(self) -> None:
        """There is no more: what has been stored, and not loaded, was used all the same."""
        self.forget()
        for name, part in self._parts.items():
            if name not in self._loaded:
                self._used(part)

    # -- the stack -----------------------------------------------------------------------------

    def _pop(self) -> Any:
        return self._stack.pop() if self._stack else None

    def _push(self, each: dis.Instruction, value: object) -> None:
        """Push a value, and below it the empty place that a call expects."""
        grown = dis.stack_effect(each.opcode, each.arg, jump=False)
        if each.opname not in _NAMED:
            grown += 1  # the object of the attribute was taken
        self._stack += [*[None] * (grown - 1), value]

    def _other(self, each: dis.Instruction, taken: int = 0) -> None:
        """An instruction of another kind, which may take anything from the stack."""
        effect = dis.stack_effect(each.opcode, each.arg, jump=False) + taken
        if effect <= 0 or not each.opname.startswith(("LOAD_FAST", "PUSH_NULL", "LOAD_CLOSURE")):
            self.forget()
        if effect < 0:
            del self._stack[effect:]
        self._stack += [None] * effect

    def _swap(self, depth: int) -> None:
        stack = self._stack
        stack[-1], stack[-depth] = stack[-depth], stack[-1]

    def _stores_part(self, name: str) -> bool:
        """Whether the value on the stack is a part that is the only value of this variable."""
        return name in self._parts and bool(self._stack) and isinstance(self._stack[-1], Part)

    def _drop(self, count: int) -> None:
        for _ in range(count):
            self._used(self._pop())

    def _used(
        self,
        value: object,
        taker: Taker | None = None,
        position: int | None = None,
        offset: int | None = None,
    ) -> None:
        """A value goes where it is not followed; there it may be taken by an instruction."""
        whole = value.owner if isinstance(value, Part) else value
        owner, keys = whole if isinstance(whole, Item) else (whole, ())
        part = offset if isinstance(value, Part) else None
        if isinstance(owner, Path):
            self.uses.add(Use(owner, taker, position, keys, part))
            self._note((owner.name, *owner.attributes))
        elif isinstance(owner, Method) and taker is not None:
            self.uses.add(Use(Path("attribute", owner.name), taker, position, keys, part))
            self._note((owner.name,))
        elif isinstance(owner, Method):
            self._named(owner.name)
        elif isinstance(owner, ClassOf):
            self.attributes.add("__class__")  # objects may be made of it
            self._used(owner.owner)

    def _named(self, attribute: str) -> None:
        self.attributes.add(attribute)
        self._note((attribute,))

    def _note(self, names: tuple[str, ...]) -> None:
        if not _SHOWING.isdisjoint(names):
            self.attributes.add(SHOWN)
        if not _ASKING_IDENTITY.isdisjoint(names):
            self.attributes.add(SAME)
        self.any_attribute = self.any_attribute or not _BY_NAME.isdisjoint(names)

    # -- instructions --------------------------------------------------------------------------

    def _attribute(self, value: object, name: str) -> Path | Method | ClassOf:
        if name == "__class__":
            return ClassOf(value)
        if isinstance(value, Path):
            return value._replace(attributes=(*value.attributes, name))
        inner = value.owner if isinstance(value, ClassOf) else value
        self._used(inner, Form(name) if name in FORM else None)
        return Method(value, name)

    def _of_super(self, each: dis.Instruction) -> None:
        """``super().name``, of an object and a class that is only asked what is above it."""
        grown = dis.stack_effect(each.opcode, each.arg, jump=False) + 3
        owner, _, asked = self._pop(), self._pop(), self._pop()
        self._used(owner)
        self._used(asked)
        self._stack += [*[None] * (grown - 1), Method(None, each.argval)]

    def _item(self, key: object) -> None:
        owner = self._pop()
        self._used(key)
        inner, keys = owner if isinstance(owner, Item) else (owner, ())
        if isinstance(owner, Part):
            self._stack.append(owner)
        elif isinstance(inner, (Path, Method)):
            known = Item(inner, (*keys, key.value)) if is_key(key) else Part(owner)
            self._stack.append(known)
        else:
            self._used(owner)
            self._stack.append(None)

    def _compare(self, name: str) -> None:
        values = (self._pop(), self._pop())
        if name == "IS_OP" and not any([isinstance(value, Literal) for value in values]):
            self.attributes.add(SAME)
        for value in values:
            self._used(value.owner if isinstance(value, ClassOf) else value)
        self._stack.append(None)

    def _operator(self, each: dis.Instruction) -> None:
        if each.argrepr.startswith("%"):  # of a text, it shows objects
            self.attributes.add(SHOWN)
        right, left = self._pop(), self._pop()
        in_place = each.argrepr.endswith("=")
        self._used(left, None if in_place else Operator(each.offset))
        self._used(right, Operator(each.offset))
        self._stack.append(None)

    def _call(self, count: int, offset: int) -> None:
        arguments = [self._pop() for _ in range(count)][::-1]
        second, first = self._pop(), self._pop()
        called = second if first is None else first
        result = None
        if asks_by_name(called, arguments):
            result = self._attribute(arguments[0], arguments[1].value)
            self.uses.add(Use(called))
            arguments = arguments[2:]
        elif called == _TYPE and count == 1:
            self._used(called)
            result, arguments = ClassOf(arguments[0]), []
        elif (
            last_name(called) in _ASKING_CLASSES
            and arguments
            and isinstance(arguments[-1], ClassOf)
        ):
            self._used(called)
            arguments = [*arguments[:-1], arguments[-1].owner]
        elif isinstance(called, Method) and called.name == "format":
            self._named(called.name)
            self._format(called.owner)
        else:
            if last_name(called) in _SETTERS:
                self._set(arguments[:2])
            self._used(called)
        if called is first:
            self._used(second)
        # Of a call without an object, the empty place lies below what is called; since 3.13 above.
        no_object = first is None or second is None
        by_position = len(arguments) - self._by_name if no_object else 0
        self._by_name = 0
        for i, each in enumerate(arguments):
            taker = called if isinstance(called, Path) else None
            if taker and isinstance(each, Literal) and isinstance(each.value, types.CodeType):
                self.handed.add((taker, each.value))
            self._used(each, taker, i if taker and i < by_position else None, offset)
        self._stack.append(result)

    def _set(self, arguments: list[Any]) -> None:
        """``object.__setattr__`` and its kin, with an object first or without one."""
        names = [x.value for x in arguments if isinstance(x, Literal) and isinstance(x.value, str)]
        self.attributes.update(names[:1])
        self.any_attribute |= not names and self._name not in _SETTERS

    def _make(self, parts: int) -> None:
        code = self._pop()
        self._drop(parts.bit_count())  # defaults, annotations and the variables around it
        self._stack.append(code)

    def _format(self, text: object) -> None:
        """``str.format``, which gets at the attributes that the text names."""
        if isinstance(text, Literal) and isinstance(text.value, str):
            self.attributes.update(re.findall(r"\.([^\W\d]\w*)", text.value))
        else:
            self.any_attribute = True

    def _import(self, name: str) -> None:
        parts, level = self._pop(), self._pop()
        known = isinstance(level, Literal) and isinstance(level.value, int)
        module = Path("import", "." * (level.value if known else 0) + name)
        taken = parts.value if isinstance(parts, Literal) and parts.value else ()
        self.uses.add(Use(module))
        self.uses |= {Use(module._replace(attributes=(part,))) for part in taken}
        self._stack.append(None)

    def _match(self) -> None:
        """A pattern of a class, which names attributes or lets the class name them."""
        names = self._stack[-1] if self._stack else None
        if isinstance(names, Literal) and isinstance(names.value, tuple):
            self.attributes.update(names.value)
        self.any_attribute = True
