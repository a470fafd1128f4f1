"""Generators of random numbers that are made without a seed ask the system for one.

Whether they are shows only when the Python runs: functions that may make some are recorded under
a profiler. Python tells it of the call by which NumPy's fetch the seed, and of those that seed
Python's own.
"""

from __future__ import annotations

import os
import random
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from ..trace import Trace

_SEEDING = random.Random.seed.__code__
_WHY = "a generator of random numbers without a seed, which may answer otherwise at each call"


def observed(trace: Trace, python: Callable[[], Any]) -> object:
    """Run the Python; the trace is told if it asks the system for a seed."""
    before = sys.getprofile()
    if before is not None:  # there is one at a time: nobody could tell
        trace.refuse(f"a profiler is on, and it may make {_WHY}")
        return python()

    def profiler(frame: types.FrameType, event: str, called: object) -> None:
        asks = event == "c_call" and called is os.urandom
        if event == "call" and frame.f_code is _SEEDING:
            asks = frame.f_locals["a"] is None
        if asks:
            trace.refuse(f"it makes {_WHY}")

    sys.setprofile(profiler)
    try:
        return python()
    finally:
        sys.setprofile(None)
