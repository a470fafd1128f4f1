"""The instructions of byte code, alike for all versions of Python."""

from __future__ import annotations

import dis
import inspect
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

_ONE_VARIABLE = re.compile("(?:LOAD|STORE)_FAST(?:_BORROW)?")
_SHOWING_LOCALS = frozenset(("locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe"))


def instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """The instructions of a piece of code; those for two variables, as one for each."""
    for each in dis.get_instructions(code):
        if "_FAST" in each.opname and isinstance(each.argval, tuple):
            for kind, name in zip(_ONE_VARIABLE.findall(each.opname), each.argval, strict=True):
                number = code.co_varnames.index(name)
                yield each._replace(opname=kind, opcode=dis.opmap[kind], arg=number, argval=name)
        else:
            yield each


def stored_once(code: CodeType) -> set[str]:
    """The local variables whose one value is stored by one instruction, before all that load it."""
    if not _SHOWING_LOCALS.isdisjoint(code.co_names):
        return set()
    flags = bool(code.co_flags & inspect.CO_VARARGS), bool(code.co_flags & inspect.CO_VARKEYWORDS)
    arguments = code.co_argcount + code.co_kwonlyargcount + sum(flags)
    stored, others = set[str](), {*code.co_varnames[:arguments]}
    for each in instructions(code):
        if "_FAST" not in each.opname:
            continue
        plain = not each.opname.endswith("CLEAR")
        if plain and each.opname == "STORE_FAST" and each.argval not in stored:
            stored.add(each.argval)
        elif not (plain and each.opname.startswith("LOAD_") and each.argval in stored):
            others.add(each.argval)
    return stored - others
