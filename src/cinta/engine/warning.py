"""Warnings that name the user's line, however deep in the package the matter is noticed."""

from __future__ import annotations

import os
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, in the name of the first line outside of the package and of SciPy, which calls back."""
    level = 2  # whoever called this function
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(frame):
        level += 1
        frame = frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_ours(frame: FrameType) -> bool:
    code, module = frame.f_code.co_filename, str(frame.f_globals.get("__name__"))
    if code.startswith(_PACKAGE) or module.startswith("scipy."):
        return True
    return code.startswith("<") and module.startswith(_GENERATED)  # and no example that is tested


_GENERATED = __name__.partition(".")[0] + ".replay."
"""The module in whose name recordings are compiled."""
