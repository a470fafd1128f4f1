"""Sites: instructions that take large arrays or parts of them, watched as a function is recorded.

In ``x @ data``, the array is converted if ``x`` is a tensor, and a recording can read it at each
call. If ``x`` is another array, NumPy computes and nobody is told. In ``x @ data[index]`` and
``tf.constant(data[index])``, the part is a view of the array, or a copy, as the index may be. So it
is seen, as the code runs, whether each time that it gets to such an instruction the array is
converted there, or a view of its memory.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from .kinds.array_contents import compare

if TYPE_CHECKING:
    import weakref
    from collections.abc import Collection, Iterator, Mapping
    from types import CodeType, FrameType

    from _typeshed import TraceFunction

    from ...engine.tensor import Array
    from ..trace import Trace


_ANY = -1
"""Stands for the first instruction that a frame tells of: some debuggers keep it from doing so."""

_PACKAGE = __name__.partition(".")[0]


class Site(NamedTuple):
    """An instruction of a piece of code, which is known by identity: equal code may be another.

    New code may get the identity of code that is gone. Then it is watched for nothing.
    """

    code: int
    offset: int
    is_call: bool = False
    """It gives a part of an array to a function, which may convert other arrays too."""

    @classmethod
    def of(cls, code: CodeType, offset: int, is_call: bool = False) -> Site:
        """The instruction at an offset."""
        return cls(id(code), offset, is_call)


class Watch:
    """Sees on one thread which of the sites are met, and whether each converts an array."""

    def __init__(self, sites: Collection[Site]) -> None:
        self.failed = False
        self._offsets: dict[int, dict[int, bool]] = {}  # by their code: whether they are calls
        for code, offset, is_call in sites:
            self._offsets.setdefault(code, {})[offset] = is_call
        self._due: dict[FrameType, int] = {}  # where an array is to be converted now

    def call(self, frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        """As ``sys.settrace`` wants it: look at the instructions of code that has sites."""
        if id(frame.f_code) not in self._offsets:
            return None
        self._due[frame] = _ANY
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        frame.f_trace = self._instruction  # Python 3.13 looks here for whether it is to tell
        return self._instruction

    def _instruction(self, frame: FrameType, event: str, argument: object) -> TraceFunction:
        if event == "opcode":
            if self._due.pop(frame, _ANY) != _ANY:
                self.failed = True  # the instruction before this one has converted nothing
            if frame.f_lasti in self._offsets[id(frame.f_code)]:
                self._due[frame] = frame.f_lasti
        return self._instruction

    def converted(self, part: bool) -> bool:
        """An array is converted now, or a part of one; whether that was to come here."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and _of_this_package(frame):
            frame = frame.f_back
        offset = _ANY if frame is None else self._due.get(frame, _ANY)
        if frame is None or offset == _ANY:
            return False
        if part or not self._offsets[id(frame.f_code)][offset]:
            del self._due[frame]
        return True

    def end(self) -> bool:
        """Whether all that was met converted arrays; the frames are forgotten."""
        well = not self.failed and not self._due
        self._due.clear()
        return well


def _of_this_package(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] == _PACKAGE


@contextmanager
def watching(sites: Mapping[Site, weakref.ref[Array]], trace: Trace) -> Iterator[None]:
    """Refuse a recording in whose course an operator at one of these sites takes no tensor."""
    if not sites:
        yield
        return
    outer = sys.gettrace()
    around = getattr(outer, "__self__", None)
    if isinstance(around, Watch):
        around.failed = True  # it does not see what comes here
    elif outer is not None:
        compare(sites.values())
        trace.refuse("a debugger or the like follows it, and it takes large arrays by operators")
        yield
        return
    watch = trace.watch = Watch(sites)
    sys.settrace(watch.call)
    try:
        yield
    finally:
        undisturbed = sys.gettrace() == watch.call
        sys.settrace(outer)
        trace.watch = None
        if not (watch.end() and undisturbed):
            compare(sites.values())
            trace.refuse(
                "Python or NumPy computes with an array that is too large to compare at each "
                "call. Make a tensor of it, or pass it as an argument"
            )
