"""Warnings that name the user's line, however deep in the package the matter is noticed."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING

from ..tracebacks import is_inside

if TYPE_CHECKING:
    from types import FrameType


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, in the name of the first line outside of the package and of SciPy, which calls back."""
    level = 2  # whoever called this function
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(frame):
        level += 1
        frame = frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_ours(frame: FrameType) -> bool:
    return is_inside(frame) or str(frame.f_globals.get("__name__")).startswith("scipy.")
