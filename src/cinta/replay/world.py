"""The world: what Python asks that is outside of the program, and may be answered otherwise later.

Clocks, files, the system's randomness and the like are functions of Python's core, written in C, so
they are noticed when they are called while a function is recorded: Python tells a profiler of such
calls. Only functions that refer to some module of that kind are watched. Random numbers of
generators are noticed by the generators' states, before and after.
"""

from __future__ import annotations

import os
import pickle
import random
import sys
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from .call_once import once
from .ownership import is_library

if TYPE_CHECKING:
    from collections.abc import Callable

    from .trace import Trace

_CLOCKS = frozenset(
    (
        *("time", "perf_counter", "monotonic", "process_time", "thread_time", "clock_gettime"),
        *("time_ns", "perf_counter_ns", "monotonic_ns", "process_time_ns", "thread_time_ns"),
        *("clock_gettime_ns", "localtime", "gmtime", "ctime", "asctime", "strftime"),
    )
)
_OF_SYSTEM = frozenset(
    (
        *("urandom", "getrandom", "times", "getloadavg", "getcwd", "open", "read", "stat", "lstat"),
        *("listdir", "scandir", "access", "readlink", "system"),
    )
)
_OF_FILES = frozenset(
    (
        *("walk", "popen", "exists", "lexists", "isfile", "isdir", "islink", "getsize", "getmtime"),
        *("getctime", "getatime", "samefile", "realpath", "abspath"),
    )
)
_OF_NUMPY = frozenset(
    (
        *("default_rng", "RandomState", "SeedSequence", "MT19937", "PCG64", "PCG64DXSM", "Philox"),
        *("SFC64", "load", "loadtxt", "genfromtxt", "fromfile", "memmap"),
    )
)
_ALL: frozenset[str] = frozenset()
_DOORS = {
    "time": _CLOCKS,
    "datetime": frozenset(("now", "utcnow", "today")),
    "uuid": frozenset(("uuid1", "uuid4", "getnode")),
    "random": frozenset(("SystemRandom",)),
    "numpy": _OF_NUMPY,
    **dict.fromkeys(("os", "posix", "nt", "genericpath"), _OF_SYSTEM | _OF_FILES),
    **dict.fromkeys(("posixpath", "ntpath"), _OF_FILES),
    **dict.fromkeys(("secrets", "io", "_io", "pathlib", "glob", "shutil", "tempfile"), _ALL),
    **dict.fromkeys(("socket", "subprocess", "platform", "getpass", "urllib", "http"), _ALL),
}
"""The modules through which the world can be asked, and the names of what asks; or all of it."""

BUILTINS = frozenset(("open", "input"))
"""What does so without a module."""

ENVIRONMENT = frozenset(("environ", "getenv", "environb", "getenvb"))
"""What gives the variables of the system, which are compared as what the program refers to is."""

_ASKING = frozenset(
    (
        *[f"time.{name}" for name in _CLOCKS],
        *[f"{system}.{name}" for system in ("posix", "nt") for name in _OF_SYSTEM],
        *("None.datetime.now", "None.datetime.utcnow", "None.date.today", "builtins.input"),
        *("io.open", "io.open_code", "numpy.fromfile", "_uuid.generate_time_safe"),
        *("_uuid.UuidCreate", "_posixsubprocess.fork_exec", "_winapi.CreateProcess"),
        *("_socket.getaddrinfo",),
    )
)
"""Functions in C that ask the world, by module and name."""

_QUIET = frozenset(
    (
        *("importlib", "_frozen_importlib", "_frozen_importlib_external", "zipimport", "pkgutil"),
        *("logging", "warnings", "traceback", "linecache", "inspect", "threading", "queue"),
        *("concurrent", "multiprocessing", "asyncio", "selectors", "unittest", "_pytest", "pdb"),
    )
)
"""Modules that ask for their own sake."""


class Outside:
    """What a function's Python refers to that is outside of the program.

    ``leads_out`` says whether it may ask clocks, files and the like.
    """

    def __init__(self) -> None:
        self.leads_out = False
        self._generators: dict[str, tuple[Callable[[], bytes], bytes]] = {}
        self._packages: set[str] = set()
        self._names: set[str] = set()

    def note(self, value: Any, label: str) -> None:
        """Note a value that is in reach."""
        look = _state(value)
        if look is not None:
            self._generators[label] = look, look()
        if isinstance(value, types.ModuleType):
            self.note_import(value.__name__)
        else:
            self.note_import(_module_of(value))
        if isinstance(value, (types.BuiltinFunctionType, types.FunctionType)):
            self._names.add(value.__name__)

    def note_import(self, module: str) -> None:
        """Note the name of a module that is in reach."""
        self._packages.add(module.partition(".")[0])

    def settle(self, names: set[str]) -> None:
        """Note what libraries in reach give to code that names these attributes and globals."""
        names = names | self._names
        doors = [_DOORS[package] for package in self._packages & _DOORS.keys()]
        asked = [door is _ALL or not door.isdisjoint(names) for door in doors]
        self.leads_out = any(asked) or not names.isdisjoint(BUILTINS)
        if "random" in self._packages:
            self.note(sys.modules["random"]._inst, "random")
        if "numpy" in self._packages and "random" in names:
            self.note(np.random.mtrand._rand, "np.random")

    def difference(self) -> str | None:
        """What has drawn random numbers since, in words."""
        for label, (look, was) in self._generators.items():
            if look() != was:
                return f"it draws random numbers from {label}, which only Python knows"
        return None

    def only(self, others: Outside) -> None:
        """Leave out what is not in the reach of others."""
        both = self._generators.keys() & others._generators
        self._generators = {label: self._generators[label] for label in both}


def _module_of(value: Any) -> str:
    """The module of a function or class, or of an object's class, without asking code of theirs."""
    kind = type if isinstance(value, type) else object
    try:
        return str(kind.__getattribute__(value, "__module__"))
    except AttributeError:  # objects of classes in C
        return "builtins"


# -- calls -----------------------------------------------------------------------------------------


def observed(trace: Trace, leads_out: bool, python: Callable[[], Any]) -> Any:
    """What the Python returns; the trace is told of what it asks the world.

    Not so where somebody else profiles this thread, as there can be one profiler only.
    """
    before = sys.getprofile()
    if not leads_out or not (before is None or isinstance(before, _Watch)):
        return python()
    sys.setprofile(_Watch(trace, sys._getframe()))
    try:
        return python()
    finally:
        sys.setprofile(before)


class _Watch:
    """A profiler that tells a trace of calls from beneath a frame which ask the world."""

    def __init__(self, trace: Trace, root: types.FrameType) -> None:
        self._trace, self._root = trace, root

    def __call__(self, frame: types.FrameType, event: str, called: Any) -> None:
        if event != "c_call" or (name := _name(called)) not in _ASKING:
            return
        asked = self._asked(frame, name.removeprefix("None."))
        if asked is not None:
            self._trace.refuse(f"it calls {asked}(), which may answer otherwise at each call")

    def _asked(self, frame: types.FrameType | None, name: str) -> str | None:
        """What the program called that came to this; None if it is not the program that asks.

        Nor if a function asks that replays call themselves, such as that of a ``py_function``.
        """
        found = None
        while frame is not None and frame is not self._root:
            module = str(frame.f_globals.get("__name__"))
            if frame.f_code is once.__code__ or (found is None and _asks_for_itself(module)):
                return None
            if found is None and not is_library(module):
                found = name
            name, frame = f"{module}.{frame.f_code.co_name}", frame.f_back
        return found


def _asks_for_itself(module: str) -> bool:
    """Whether what code of this module is told does not reach the program."""
    package = module.partition(".")[0]
    of_python = package in sys.stdlib_module_names or package == "numpy"
    return package in _QUIET if of_python else is_library(module)


def _name(called: Any) -> str:
    return f"{called.__module__}.{called.__qualname__}"


# -- random numbers --------------------------------------------------------------------------------


def _state(generator: Any) -> Callable[[], bytes] | None:
    """How to look at the state of a generator of random numbers; None if it is none of them."""
    look: Callable[[], Any]
    if isinstance(generator, random.Random) and not isinstance(generator, random.SystemRandom):
        look = generator.getstate
    elif isinstance(generator, np.random.RandomState):
        look = generator.get_state
    elif isinstance(generator, np.random.Generator):
        return _state(generator.bit_generator)
    elif isinstance(generator, np.random.BitGenerator):
        bits = generator
        return lambda: pickle.dumps(bits.state)
    else:
        return None
    return lambda: pickle.dumps(look())


def environment() -> tuple[tuple[str, str], ...]:
    """What is in the environment."""
    return tuple(os.environ.items())
