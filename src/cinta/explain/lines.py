"""Lines: where in the user's program something happens.

While a program runs, a place is noted as a code object and an offset in it, which takes a tenth of
the time that a line number takes. It becomes a line with columns when it is first read.
"""

from __future__ import annotations

import functools
import html
import linecache
import os
import sys
import sysconfig
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType, FrameType

CodePosition: TypeAlias = "tuple[CodeType | None, int]"
"""A code object, and the offset of the instruction that ran; no code if no user's line was met."""

NOWHERE: CodePosition = (None, 0)

_CINTA = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_LIBRARIES = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


@dataclass(frozen=True)
class Line:
    """A line of the program; ``columns`` are where the call begins and ends, if that is known."""

    filename: str
    lineno: int
    columns: tuple[int, int] | None = None

    @property
    def source(self) -> str:
        """The text of the line, without the space around it."""
        return linecache.getline(self.filename, self.lineno).strip()

    def is_same(self, other: Line) -> bool:
        """Whether this is the same line, be it another part of it."""
        return (self.filename, self.lineno) == (other.filename, other.lineno)

    def __str__(self) -> str:
        folder, name = os.path.split(self.filename)
        is_cell = os.path.basename(folder).startswith("ipykernel_")
        return f"{'cell' if is_cell else name}:{self.lineno}"

    def marked(self, indent: str = "  ") -> str:
        """The line with a mark under the call, as tracebacks show it."""
        text, start, end = self._call()
        head = f"{indent}{self}   "
        if not text:
            return head.rstrip()
        mark = f"\n{' ' * (len(head) + start)}{'^' * (end - start)}" if start < end else ""
        return f"{head}{text}{mark}"

    def marked_html(self) -> str:
        """The place, and below it the line, in which the call is marked, for notebooks."""
        text, start, end = self._call()
        before, call, after = map(html.escape, (text[:start], text[start:end], text[end:]))
        mark = f"<mark style='background:#f2b70055;color:inherit'>{call}</mark>" if call else ""
        return (
            f"<div><small>{html.escape(str(self))}</small></div>"
            f"<pre style='margin:.1em 0 .4em;white-space:pre-wrap'>{before}{mark}{after}</pre>"
        )

    def _call(self) -> tuple[str, int, int]:
        """The text without the space around it, and where in it the call begins and ends."""
        text = linecache.getline(self.filename, self.lineno).rstrip()
        bare = text.lstrip()
        cut = len(text) - len(bare)
        start, end = (
            len(text.encode()[:at].decode(errors="ignore")) - cut for at in self.columns or (0, 0)
        )
        return (bare, start, end) if 0 <= start < end else (bare, 0, 0)


@functools.cache
def is_library(filename: str) -> bool:
    """Whether a file belongs to cinta, to Python or to an installed package."""
    if filename.startswith(("<frozen", _CINTA)) or any(each in filename for each in _INSTALLED):
        return True
    return filename.startswith(_LIBRARIES)


def user_frame(depth: int) -> FrameType | None:
    """The innermost frame of the program, from this depth of the stack on."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and is_library(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def here(depth: int = 2) -> CodePosition:
    """Where the program is: the innermost of its frames."""
    frame = user_frame(depth)
    return NOWHERE if frame is None else (frame.f_code, frame.f_lasti)


def line_at(place: CodePosition) -> Line | None:
    """The line of a place, with columns if the code keeps them."""
    code, offset = place
    if code is None:
        return None
    # Codes may be equal though their files and columns differ.
    return _line_at(code, offset, code.co_filename, code.co_linetable)


@functools.lru_cache(maxsize=65_536)
def _line_at(code: CodeType, offset: int, filename: str, table: bytes) -> Line:
    first, last, start, end = _positions(code, table)[offset // 2]
    if first is None:
        return Line(filename, code.co_firstlineno)
    if first != last or start is None or end is None:
        return Line(filename, first)
    return Line(filename, first, (start, end))


@functools.lru_cache(maxsize=512)
def _positions(code: CodeType, table: bytes) -> Sequence[tuple[int | None, ...]]:
    """Where each instruction stands in the text: its lines, and its columns."""
    return tuple(code.co_positions())


def last_line_of(code: CodeType) -> Line:
    """The last line of a function, where it mostly returns."""
    numbers = [number for _, _, number in code.co_lines() if number]
    return Line(code.co_filename, max(numbers, default=code.co_firstlineno))
