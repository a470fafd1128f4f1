"""The user's program on the stack: which frames are its own, and where it stands.

While a program runs, a place is noted as a code object and an offset in it, which takes a tenth of
the time that a line number takes.
"""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

CodePlace: TypeAlias = "tuple[CodeType | None, int]"
"""A code object, and the offset of the instruction that ran; no code if no user's line was met."""

NOWHERE: CodePlace = (None, 0)

_CINTA = os.path.dirname(os.path.abspath(__file__)) + os.sep
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


class _Libraries(dict[str, bool]):
    """Whether a file belongs to cinta, to Python or to an installed package."""

    def __missing__(self, filename: str) -> bool:
        own = filename.startswith(("<frozen", _CINTA))
        found = own or any(each in filename for each in _INSTALLED)
        self[filename] = found = found or filename.startswith(_libraries())
        return found


_library = _Libraries()
is_library: Callable[[str], bool] = _library.__getitem__
"""Whether a file belongs to cinta, to Python or to an installed package."""


@functools.cache
def _libraries() -> tuple[str, ...]:
    """The folders of Python's own modules."""
    import sysconfig  # which takes its time, and is seldom needed

    return tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})


def user_frame(depth: int) -> FrameType | None:
    """The innermost frame of the program, from this depth of the stack on."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and _library[frame.f_code.co_filename]:
        frame = frame.f_back
    return frame


def here(depth: int = 2) -> CodePlace:
    """Where the program is: the innermost of its frames."""
    frame = user_frame(depth)
    return NOWHERE if frame is None else (frame.f_code, frame.f_lasti)
