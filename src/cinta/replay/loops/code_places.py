"""Places in code at which all that is under way can be told.

Beside its variables, Python has values on a stack: of expressions that are half done, and iterators
of loops. Nobody can look at these. At some places there are none but those that the code itself
names, and iterators: of loops over a ``range``, whose position the variable of the loop tells, and
of other loops, which somebody else must know.
"""

from __future__ import annotations

import dis
from functools import lru_cache, partial
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .live_names import dead_names

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, FrameType

_RESUMED = 0x20 | 0x80 | 0x200  # generators and coroutines, by CPython's flags of code objects
_ENDS = ("RETURN", "RAISE", "RERAISE", "JUMP_FORWARD", "JUMP_BACKWARD")
_WORKING = ("UNARY_NOT", "TO_BOOL", "COMPARE_OP", "CONTAINS_OP", "BINARY_", "LOAD_ATTR")
"""Instructions that may call one method of one value, and leave one value on the stack."""
_LOCAL = ("LOAD_FAST", "LOAD_DEREF")
_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))

Stack: TypeAlias = tuple[str, ...]
"""The values on the stack: ``global`` or ``local`` with a path, or one of those below."""
_OF_CODE, _UNKNOWN = "code", "unknown"
_WITH = "with "
"""The method that leaves a ``with``, on the stack as long as that lasts; the offset follows."""


class Place(NamedTuple):
    """An instruction, whether there is a loop over a range around it, and what it may call.

    ``loops`` are the other loops around it, by the places at which they take elements, and
    ``withs`` the ``with`` statements, by those at which they are entered. ``dead`` are the
    variables that are not read any more.
    """

    offset: int
    counts: bool
    loops: tuple[int, ...]
    withs: tuple[int, ...]
    called: Stack | None
    dead: frozenset[str]


def place_in(frame: FrameType, inner: CodeType) -> Place | None:
    """Where in its code a frame stands, if that tells all that is under way there.

    The code ``inner`` must have been called by it, and not by a function written in C that may call
    it again and again, such as ``map``.
    """
    found = _places(frame.f_code).get(frame.f_lasti)
    if found is None:
        return None
    is_range = "range" not in frame.f_globals and frame.f_builtins.get("range") is range
    if found.counts and not is_range:
        return None
    calls = found.called is None or any([_calls(frame, path, inner) for path in found.called])
    return found if calls else None


def _calls(frame: FrameType, path: str, inner: CodeType) -> bool:
    """Whether what a path leads to calls this code and nothing else."""
    kind, _, names = path.partition(" ")
    name, *attributes = names.split(".")
    if kind == "global":
        value = frame.f_globals.get(name, frame.f_builtins.get(name))
    elif kind == "local":
        value = frame.f_locals.get(name)
    else:
        return False
    for attribute in attributes:
        if isinstance(value, ModuleType):
            value = vars(value).get(attribute)
        elif attribute in getattr(value, "__dict__", ()):
            return False
        else:
            value = _in_class(value, attribute)
    while type(value) is partial:
        value = value.func
    if value is bool:
        return True
    function = value if isinstance(value, FunctionType) else _in_class(value, "__call__")
    return isinstance(function, FunctionType) and function.__code__ is inner


def _in_class(value: object, name: str) -> object:
    """The attribute of this name in the class of a value."""
    return next((vars(each)[name] for each in type(value).__mro__ if name in vars(each)), None)


@lru_cache(maxsize=256)
def _places(code: CodeType) -> dict[int, Place]:
    """Such places by all the offsets at which frames may stand there."""
    if code.co_flags & _RESUMED:
        return {}
    steps = [*dis.get_instructions(code)]
    stacks = _stacks(steps)
    loops = {
        (each.offset, each.argval): _counts(steps, i, stacks)
        for i, each in enumerate(steps)
        if each.opname == "FOR_ITER"
    }
    found = {}
    for i, each in enumerate(steps):
        calling = i + (each.opname == "PRECALL")  # which may make the call
        under_way = _under_way(steps[calling], stacks.get(calling))
        around = {begin: x for (begin, end), x in loops.items() if begin <= each.offset < end}
        withs = [int(x.removeprefix(_WITH)) for x in under_way or () if x.startswith(_WITH)]
        if under_way is not None and len(under_way) - len(withs) == len(around):
            end = steps[i + 1].offset if i + 1 < len(steps) else each.offset + 2
            called = None
            if steps[calling].opname.startswith("CALL"):
                before = stacks[calling]
                base = len(_after(steps[calling], before)) - 1
                called = before[base : base + 2]
            place = _place(code, steps[calling].offset, around, tuple(withs), called)
            found.update(dict.fromkeys(range(each.offset, end, 2), place))
    return found


def _place(
    code: CodeType,
    offset: int,
    around: dict[int, bool],
    withs: tuple[int, ...],
    called: Stack | None,
) -> Place:
    """An instruction with loops around it, of which is told whether they are over a range."""
    others = tuple([loop for loop, counts in around.items() if not counts])
    counts = len(others) < len(around)
    # a range may have its limits from variables that nobody else reads
    dead = frozenset[str]() if counts else dead_names(code, offset)
    return Place(offset, counts, others, withs, called, dead)


def _stacks(steps: Sequence[dis.Instruction]) -> dict[int, Stack]:
    """The values on the stack before each instruction, where that is known."""
    index = {each.offset: i for i, each in enumerate(steps)}
    stacks: dict[int, Stack] = {0: ()}
    left = [0]
    while left:
        i = left.pop()
        each, stack = steps[i], stacks[i]
        following = []
        if each.opcode in _JUMPS:
            following.append((index[each.argval], _after(each, stack, jump=True)))
        if not each.opname.startswith(_ENDS):
            following.append((i + 1, _after(each, stack)))
        for j, after in following:
            before = stacks.get(j)
            both = after
            if before is not None:
                pairs = zip(before, after, strict=True)
                both = tuple([x if x == y else _UNKNOWN for x, y in pairs])
            if both != before:
                stacks[j] = both
                left.append(j)
    return stacks


def _after(each: dis.Instruction, stack: Stack, jump: bool = False) -> Stack:
    """The stack behind an instruction."""
    effect = dis.stack_effect(each.opcode, each.arg, jump=jump)
    name = each.opname
    if name == "LOAD_GLOBAL":
        return (*stack, *[f"global {each.argval}"] * effect)
    if name in ("LOAD_CONST", "PUSH_NULL"):
        return (*stack, *[_OF_CODE] * effect)
    if name == "LOAD_CLOSURE":
        return (*stack, _UNKNOWN)
    if name == "PRECALL":  # which takes the arguments, and nothing below them
        return stack[: len(stack) + effect]
    if name.startswith(_LOCAL) and effect == 1:
        return (*stack, f"local {each.argval}")
    if name in ("LOAD_ATTR", "LOAD_METHOD") and " " in stack[-1]:
        return (*stack[:-1], *[f"{stack[-1]}.{each.argval}"] * (effect + 1))
    if name == "SWAP":
        place = len(stack) - each.argval
        return (*stack[:place], stack[-1], *stack[place + 1 : -1], stack[place])
    if name == "COPY":
        return (*stack, stack[-each.argval])
    if name == "BEFORE_WITH":
        return (*stack[:-1], f"{_WITH}{each.offset}", _UNKNOWN)
    size = len(stack) + effect
    kept = max(0, len(stack) + min(effect, 0) - 1)
    stays = kept < min(size, len(stack)) and stack[kept].startswith(_WITH)
    if stays and not name.startswith("CALL"):
        kept += 1  # which only a call takes away
    return (*stack[:kept], *[_UNKNOWN] * (size - kept))


def _under_way(each: dis.Instruction, stack: Stack | None) -> list[str] | None:
    """The values of the call on the stack that an instruction at work does not take."""
    if stack is None:
        return None
    left = len(_after(each, stack))
    if each.opname.startswith(("CALL", *_WORKING)):
        left -= 1
    elif each.opname == "FOR_ITER":
        left = len(stack)
    elif each.opcode not in _JUMPS:
        return None
    return [x for x in stack[:left] if not x.startswith(("code", "global"))]


def _counts(steps: Sequence[dis.Instruction], loop: int, stacks: dict[int, Stack]) -> bool:
    """Whether a loop is over a range, whose variable only the loop sets."""
    getting, call = steps[loop - 1], loop - 2
    if getting.opname != "GET_ITER" or steps[call].opname != "CALL" or loop not in stacks:
        return False
    outside = len(stacks[loop]) - 1
    first = next((i for i in range(call, -1, -1) if len(stacks.get(i, ())) == outside), -1)
    called, setting = steps[first], steps[loop + 1]
    if called.opname != "LOAD_GLOBAL" or called.argval != "range":
        return False
    inside = [each for each in steps if setting.offset < each.offset < steps[loop].argval]
    others = [x.argval for x in inside if x.opname.startswith(("STORE_FAST", "DELETE_FAST"))]
    names = [name for x in others for name in (x if isinstance(x, tuple) else (x,))]
    return setting.opname == "STORE_FAST" and setting.argval not in names
