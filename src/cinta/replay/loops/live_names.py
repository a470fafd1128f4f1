"""The variables of a frame that its code may still read.

The values of others do not matter to where Python goes: two states that differ in them alone are
one.
"""

from __future__ import annotations

import dis
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType

_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))
_ENDS = ("RETURN", "RAISE", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD")
_LOOKING = frozenset(("locals", "vars", "dir", "eval", "exec"))
"""Functions that may read a variable without its name in the code."""


def dead_names(code: CodeType, offset: int) -> frozenset[str]:
    """The variables that the code does not read any more, once this instruction is done."""
    return _dead_names(code).get(offset, frozenset())


@lru_cache(maxsize=256)
def _dead_names(code: CodeType) -> dict[int, frozenset[str]]:
    """Such names by the offsets of instructions."""
    if not _LOOKING.isdisjoint(code.co_names):
        return {}
    own = frozenset(code.co_varnames).difference(code.co_cellvars)
    steps = [*dis.get_instructions(code)]
    following = _following(code, steps)
    read = [frozenset[str]()] * len(steps)  # from each instruction on
    changed = True
    while changed:
        changed = False
        for i in reversed(range(len(steps))):
            found = _read_before(steps[i], _read_by(read, following[i]))
            changed |= found != read[i]
            read[i] = found
    return {
        each.offset: own - _read_by(read, after)
        for each, after in zip(steps, following, strict=True)
    }


def _following(code: CodeType, steps: Sequence[dis.Instruction]) -> list[list[int]]:
    """The instructions that may come next, for each: handlers too, if it can raise an error."""
    index = {each.offset: i for i, each in enumerate(steps)}
    found = [
        [
            *([index[each.argval]] if each.opcode in _JUMPS else ()),
            *(() if each.opname.startswith(_ENDS) else (i + 1,)),
        ]
        for i, each in enumerate(steps)
    ]
    for block in dis.Bytecode(code).exception_entries:  # type: ignore[attr-defined]
        for i, each in enumerate(steps):
            if block.start <= each.offset < block.end and not each.opname.startswith("STORE_FAST"):
                found[i].append(index[block.target])
    return found


def _read_by(read: Sequence[frozenset[str]], places: Sequence[int]) -> frozenset[str]:
    return frozenset[str]().union(*[read[i] for i in places])


def _read_before(each: dis.Instruction, after: frozenset[str]) -> frozenset[str]:
    """The names that are read from an instruction on, if these are from behind it on."""
    if each.opname == "STORE_FAST":
        return after - {each.argval}
    if "_FAST" in each.opname:  # some do two things at once
        names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
        return after.union(names)
    return after
