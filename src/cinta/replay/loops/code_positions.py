"""The position of the code that looks at a value, and what the code knows there.

If Python looks twice from the same line, and all that it knows is the same but for tensors that are
recorded, then it goes on in the same way as before for as long as it finds the same: what it does
is a function of what it knows. That is how a ``while`` loop is known to be one.
"""

from __future__ import annotations

import dis
import sys
from functools import lru_cache
from types import BuiltinFunctionType, FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.module import Module
from ...engine.tensor import Tensor
from ...engine.variable import Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType

    from ..recording import Ref

_SMALL = 256
"""Arrays and containers of so many elements are compared."""
_RESUMED = 0x20 | 0x80 | 0x200  # generators and coroutines, by CPython's flags of code objects
_WITHIN = "cinta.engine."


class CodePosition(NamedTuple):
    """A place in a frame, what is the same if Python stands there again, and recorded values."""

    frame: FrameType
    place: int
    marks: tuple[Any, ...]
    refs: tuple[int, ...]


class Opaque(Exception):
    """Python knows something of which it cannot be told whether it changes."""


def code_position(
    frame: FrameType,
    ref_of: Callable[[Tensor], Ref],
    marks: Sequence[Any],
    refs: Sequence[int],
) -> CodePosition | None:
    """Where Python stands in this frame, if it can be told whether it stands there again.

    ``marks`` and ``refs`` are of what is known beside what the frame knows.
    """
    known = _Known(ref_of)
    try:
        for name, value in frame.f_locals.items():
            known.add(name)
            known.look_at(value)
    except Opaque:
        return None
    return CodePosition(frame, frame.f_lasti, (*marks, *known.marks), (*refs, *known.refs))


def place_of_look() -> FrameType | None:
    """The frame that looks at a tensor, if it does so in a ``while`` loop."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and _is_inside(frame):
        frame = frame.f_back
    return frame if frame is not None and frame.f_lasti in _in_loops(frame.f_code) else None


def _is_inside(frame: FrameType) -> bool:
    name = str(frame.f_globals.get("__name__", ""))
    return name.startswith(_WITHIN) or name == "cinta.replay.trace"


@lru_cache(maxsize=256)
def _in_loops(code: CodeType) -> frozenset[int]:
    """The places in loops where no iterator is under way, which nobody could look into."""
    if code.co_flags & _RESUMED:
        return frozenset()
    repeated, iterating = set[int](), set[int]()
    for instruction in dis.get_instructions(code):
        here, there = instruction.offset, instruction.argval
        if instruction.opname == "FOR_ITER":
            iterating.update(range(here, there))
        elif instruction.opcode in _JUMPS and there < here:
            repeated.update(range(there, here + 1))
    handlers = bool(getattr(code, "co_exceptiontable", b"")) or sys.version_info < (3, 11)
    if iterating and handlers:  # which stand outside of the loops that they belong to
        return frozenset()
    return frozenset(repeated - iterating)


_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))


class _Known:
    """Python's state, as marks that are compared one by one."""

    def __init__(self, ref_of: Callable[[Tensor], Ref]) -> None:
        self.marks: list[Any] = []
        self.refs: list[int] = []
        self._ref_of = ref_of
        self._met: set[int] = set()

    def add(self, mark: Any) -> None:
        self.marks.append(mark)
        if len(self.marks) > _SMALL:
            raise Opaque

    def look_at(self, value: Any) -> None:
        """Add what is known by a value; ``Opaque`` if it may change unseen."""
        self.add(type(value))
        if type(value) is Tensor:
            self._tensor(value)
        elif type(value) in (tuple, list):
            self._items(value, value)
        elif type(value) is dict:
            self._items(value, [part for pair in value.items() for part in pair])
        elif type(value) is FunctionType:
            self._function(value)
        elif isinstance(value, np.ndarray):
            if value.size > _SMALL or value.dtype.hasobject:
                raise Opaque
            self.add(value.copy())
        elif isinstance(value, Module):
            self.add(value)
            self._items(value, [part for pair in vars(value).items() for part in pair])
        elif isinstance(value, _UNCHANGING) or _is_of_module(value):
            self.add(value)
        else:
            raise Opaque

    def _tensor(self, value: Tensor) -> None:
        ref = self._ref_of(value)
        if isinstance(ref, int):
            self.refs.append(ref)
            self.add((value._array.dtype, value._array.shape))
        else:
            self.add(value)

    def _items(self, whole: Any, parts: Any) -> None:
        self.add(len(parts))
        if id(whole) in self._met:
            return
        self._met.add(id(whole))
        for part in parts:
            self.look_at(part)

    def _function(self, value: FunctionType) -> None:
        self.add(value)
        if id(value) in self._met:
            return
        self._met.add(id(value))
        try:
            inside = [cell.cell_contents for cell in value.__closure__ or ()]
        except ValueError:  # a cell that is not bound yet
            raise Opaque from None
        for part in (*inside, value.__defaults__, value.__kwdefaults__, value.__dict__):
            self.look_at(part)


def _is_of_module(value: Any) -> bool:
    """Whether it is a module, or a class or function of one: these are compared by whoever looks
    at what a function refers to."""
    if isinstance(value, type):
        return "<locals>" not in value.__qualname__
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, (ModuleType, type(None)))
    return isinstance(value, ModuleType)


_UNCHANGING = (
    *(bool, int, float, complex, str, bytes, type(None), type(...), np.generic, np.dtype),
    Variable,  # its content is recorded
)
