"""What pieces of Python code name: the globals and attributes that they can get at."""

from __future__ import annotations

import dis
import functools
import types
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_LOADS = frozenset(("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR", "IMPORT_FROM"))
_BY_NAME = frozenset(
    (
        *("getattr", "setattr", "delattr", "hasattr", "vars", "dir", "__dict__"),
        *("__getattribute__", "attrgetter", "methodcaller", "getattr_static", "getmembers"),
    )
)
_BY_TEXT = frozenset(("eval", "exec", "globals"))


class Names(NamedTuple):
    """What a piece of code names."""

    globals: frozenset[str]
    attributes: frozenset[str]
    enclosed: frozenset[str]
    written: frozenset[str]
    imports: frozenset[str]

    @property
    def any_attribute(self) -> bool:
        """Whether it may get at attributes by names that it computes."""
        return not _BY_NAME.isdisjoint(self.globals | self.attributes)

    @property
    def anything(self) -> frozenset[str]:
        """What it calls that may get at anything."""
        return _BY_TEXT & self.globals


@functools.cache
def names_in(code: types.CodeType) -> Names:
    """What a piece of code names itself, without the functions in it."""
    globals_, attributes, enclosed = set[str](), set[str](), set[str]()
    written, imports = set[str](), set[str]()
    level, latest = 0, 0  # of the constants before an import the first is its level
    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_CONST":
            level, latest = latest, instruction.argval
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL"):
            globals_.add(instruction.argval)
        elif instruction.opname == "IMPORT_NAME":
            imports.add("." * (level or 0) + instruction.argval)
        elif instruction.opname in _LOADS:
            attributes.add(instruction.argval)
        elif instruction.opname in ("LOAD_DEREF", "LOAD_CLASSDEREF", "STORE_DEREF"):
            enclosed.add(instruction.argval)
        elif instruction.opname == "STORE_ATTR":
            written.add(instruction.argval)
    texts = [each for each in code.co_consts if isinstance(each, str)]  # for getattr
    texts += [x for each in code.co_consts if isinstance(each, tuple) for x in each]  # for match
    attributes |= {text for text in texts if isinstance(text, str) and text.isidentifier()}
    if "setattr" in globals_:
        written |= attributes
    return Names(*map(frozenset, (globals_, attributes | written, enclosed, written, imports)))


def codes_in(
    code: types.CodeType, apart: Collection[types.CodeType] = ()
) -> Iterator[types.CodeType]:
    """A function's code and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and constant not in apart:
            yield from codes_in(constant, apart)
