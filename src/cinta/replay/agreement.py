"""Agreement of the processes that have a mesh of devices: all replay a call, or all run its Python.

Whether a recording may stand for the Python each process finds out for itself, by what that Python
refers to there. So before a call computes anything on the mesh, each process says what it is going
to run. Where that differs, all of them run the Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.replicas import Processes

_PYTHON = "Python"


class Disagreed(RuntimeError):
    """Other processes run something else in this call; nothing has happened yet."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Other processes do not run this recording of {name}: all must run the same program."
        )


def agree_on_recording(processes: Processes, name: str, fingerprint: str) -> None:
    """Go on if all processes are about to run this recording of a function."""
    if {key for (key,) in processes.exchange_parts(_call_of(name), [fingerprint])} != {fingerprint}:
        raise Disagreed(name)


def agree_on_python(processes: Processes | None, name: str) -> None:
    """Tell the other processes, if there are some, that this one runs the Python of a function."""
    if processes is not None:
        processes.exchange_parts(_call_of(name), [_PYTHON])


def _call_of(name: str) -> str:
    return f"a call of the function {name}"
