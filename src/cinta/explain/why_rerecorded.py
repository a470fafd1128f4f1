"""Why a function was recorded again, read from the words in which the function says it."""

from __future__ import annotations

import dis
import re
from typing import TYPE_CHECKING, NamedTuple

from .lines import Line

if TYPE_CHECKING:
    from types import CodeType

_ARGUMENT = re.compile(r"argument (\d+) changed: (.*) → (.*)", re.S)
_CAPTURE = re.compile(r"(.*?) changed: (.*)", re.S)
_BRANCHES = "Python saw", "Python went"


class Rerecorded(NamedTuple):
    """A cause of the closed list, the line to blame, and the names for the headline."""

    cause: str
    line: Line | None
    names: dict[str, str]


def reason_for(
    why: str, code: CodeType | None, has_signature: bool, asked: Line | None = None
) -> Rerecorded | None:
    """The cause and its line; None if the recording was the first, or is as it should be.

    ``asked`` is where the function was called; where that is unknown its definition is told.
    """
    place = asked or (None if code is None else line_of_code(code))
    if why.startswith(_BRANCHES):
        return Rerecorded("python-branch", place, {})
    if (argument := _ARGUMENT.fullmatch(why)) is not None:
        _, was, now = argument.groups()
        cause = _cause(was, now)
        if cause == "argument-shape" and has_signature:
            return None
        return Rerecorded(cause, place, {"was": was, "now": now})
    if why == "the arguments are others":
        return Rerecorded("argument-value", place, {"was": "…", "now": "…"})
    if (capture := _CAPTURE.fullmatch(why)) is None:
        return None
    line = _line_that_names(code, capture[1]) or place
    said = capture[1] if why.endswith("nothing → nothing") else why  # it was not there before
    return Rerecorded("captured-changed", line, {"label": said})


def is_of_other_batches(names: dict[str, str]) -> bool:
    """Whether all shapes of an argument that changed differ in their first axis alone."""
    was, now = (re.sub(r"\[\d+", "[", names[name]) for name in ("was", "now"))
    return was == now


def line_of_code(code: CodeType) -> Line:
    """The line on which a function begins."""
    return Line(code.co_filename, code.co_firstlineno)


def _cause(was: str, now: str) -> str:
    """The property of an argument that changed, read from its two descriptions."""
    if "[" not in was or "[" not in now:
        return "argument-value"
    return "argument-dtype" if was.split("[")[0] != now.split("[")[0] else "argument-shape"


def _line_that_names(code: CodeType | None, label: str) -> Line | None:
    """The line of the code that names something by the last part of its label."""
    if code is None:
        return None
    name = re.split(r"[.\[\s]", label.split("[")[0])[-1].strip("]'\" ")
    for instruction in dis.get_instructions(code):
        position = instruction.positions
        if instruction.argval == name and position is not None and position.lineno:
            return Line(code.co_filename, position.lineno)
    inner = (each for each in code.co_consts if hasattr(each, "co_consts"))
    return next((line for each in inner if (line := _line_that_names(each, label))), None)
