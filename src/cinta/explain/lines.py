"""Lines of the user's program, made of places in its code when they are first read."""

from __future__ import annotations

import functools
import html
import linecache
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType

    from ..user_frames import CodePlace


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


def line_at(place: CodePlace) -> Line | None:
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
