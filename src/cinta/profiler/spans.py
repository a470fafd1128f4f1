"""Calls with their begin and end, as Python's profiling hook tells them."""

from __future__ import annotations

import gzip
import json
import os
import socket
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..files.system_errors import translated

if TYPE_CHECKING:
    from types import CodeType, FrameType

_PACKAGE = str(Path(__file__).parent.parent) + os.sep
_MOST = 1_000_000
"""So many calls are kept; a trace of more is too long for programs that show it."""


class Span(NamedTuple):
    """A call or a block: when it began and ended, in nanoseconds, and on which thread."""

    name: str
    begin: int
    end: int
    thread: int
    about: dict[str, object]


class Spans(threading.local):
    """The calls that have begun on this thread and have not ended."""

    def __init__(self) -> None:
        self.open: list[tuple[CodeType, int]] = []


class Profiler:
    """Keeps the calls of functions on this thread and on those that begin later.

    These are the calls of this package from outside of it, or all calls of Python.
    """

    def __init__(self, everything: bool) -> None:
        self.everything = everything
        self.spans: list[Span] = []
        self.here = Spans()

    def start(self) -> None:
        """Hear of calls from now on."""
        threading.setprofile(self._heard)
        sys.setprofile(self._heard)

    def stop(self) -> None:
        """Hear no more."""
        sys.setprofile(None)
        threading.setprofile(None)

    def add(self, name: str, begin: int, about: dict[str, object]) -> None:
        """Keep something that began then, and ends now."""
        if len(self.spans) < _MOST:
            now, thread = time.perf_counter_ns(), threading.get_ident()
            self.spans.append(Span(name, begin, now, thread, about))

    def _heard(self, frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            self.here.open.append((frame.f_code, time.perf_counter_ns()))
        elif event == "return" and self.here.open:
            code, begin = self.here.open.pop()
            if code is frame.f_code and (self.everything or self._enters(code)):
                self.add(_name_of(frame), begin, {})

    def _enters(self, code: CodeType) -> bool:
        """Whether this is a call of the package that no call of it is around."""
        return _is_ours(code) and not any([_is_ours(outer) for outer, _ in self.here.open])

    def write(self, folder: str) -> str:
        """Write the spans in the format of Chrome's traces, which Perfetto opens."""
        when = time.strftime("%Y_%m_%d_%H_%M_%S")
        path = os.path.join(folder, "plugins", "profile", when)
        events = [
            {
                "name": span.name,
                "ph": "X",
                "ts": span.begin / 1000,
                "dur": (span.end - span.begin) / 1000,
                "pid": os.getpid(),
                "tid": span.thread,
                "args": {key: str(value) for key, value in span.about.items()},
            }
            for span in sorted(self.spans, key=lambda span: span.begin)
        ]
        name = os.path.join(path, f"{socket.gethostname()}.trace.json.gz")
        with translated(path):
            os.makedirs(path, exist_ok=True)
            with gzip.open(name, "wt") as file:
                json.dump({"displayTimeUnit": "ns", "traceEvents": events}, file)
        return name


def _is_ours(code: CodeType) -> bool:
    return code.co_filename.startswith(_PACKAGE)


def _name_of(frame: FrameType) -> str:
    """The name of an op, a function or a layer that is called, or that of the Python function."""
    code = frame.f_code
    if code.co_name in ("call", "__call__"):
        found = frame.f_locals.get("op", frame.f_locals.get("self"))
        for attribute in ("__name__", "name"):
            name = getattr(found, attribute, None)
            if isinstance(name, str):
                return name
    return code.co_qualname
