"""Errors and warnings as they are shown: with little of cinta's inside, and advice on names.

An error is put in order when it is about to be shown, by Python, by a thread or by IPython. So
functions need nothing around them that would catch errors, and calls without errors cost nothing;
a module's ``__getattr__``, which could give advice on names, would make each ``tf.sin`` slower.
Errors that a program catches are as they were raised.
"""

from __future__ import annotations

import os
import sys
import threading
import warnings
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .public import public

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

_PACKAGE = __name__.partition(".")[0]
_FOLDER = os.path.dirname(__file__) + os.sep
_GENERATED = _PACKAGE + ".replay."
"""The module in whose name recordings are compiled."""

_filtering = True
_gradient_was_none = False
"""Whether a gradient has been None, of which Python's errors may speak since."""


@public("debugging.enable_traceback_filtering")
def enable_traceback_filtering() -> None:
    """Show at most two lines of cinta in the traceback of an error, as is the default.

    >>> import cinta as tf
    >>> tf.debugging.enable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    global _filtering
    _filtering = True


@public("debugging.disable_traceback_filtering")
def disable_traceback_filtering() -> None:
    """Show all lines of cinta in the traceback of an error.

    >>> import cinta as tf
    >>> tf.debugging.disable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    False
    >>> tf.debugging.enable_traceback_filtering()
    """
    global _filtering
    _filtering = False


@public("debugging.is_traceback_filtering_enabled")
def is_traceback_filtering_enabled() -> bool:
    """Whether the traceback of an error shows little of cinta.

    >>> import cinta as tf
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    return _filtering


def is_inside(frame: FrameType) -> bool:
    """Whether a frame is of cinta, or of a recording that it has compiled."""
    code = frame.f_code.co_filename
    if code.startswith(_FOLDER):
        return True
    module = str(frame.f_globals.get("__name__"))
    return code.startswith("<") and module.startswith(_GENERATED)  # and no example that is tested


def put_in_order(error: BaseException | None) -> None:
    """Get an error ready to be shown, and those that it came from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        _advise(error)
        _translate(error)
        _explain_none(error)
        if _filtering and error.__traceback__ is not None:
            _shorten(_entries(error.__traceback__))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _translate(error: BaseException) -> None:
    """Note what the error of a function of cinta means, if the user reads another language."""
    if not any(is_inside(entry.tb_frame) for entry in _entries(error.__traceback__)):
        return
    from .languages.phrases import meaning

    note = meaning(str(error))
    if note and note not in getattr(error, "__notes__", ()):
        error.add_note(note)


def note_none() -> None:
    """Have Python's errors about None say how to find out why a gradient is None: one is."""
    global _gradient_was_none
    _gradient_was_none = True


def _explain_none(error: BaseException) -> None:
    if not _gradient_was_none or not isinstance(error, (TypeError, AttributeError)):
        return
    if "NoneType" not in str(error):
        return
    from .languages.phrases import said

    note = said("If it is a gradient: CINTA_EXPLAIN=1 says why it is None.")
    if note not in getattr(error, "__notes__", ()):
        error.add_note(note)


def _entries(trace: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback, from the outermost call on."""
    entries = []
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    return entries


def _shorten(entries: list[TracebackType]) -> None:
    """Leave of cinta the function that was called last from outside, and where it failed.

    The first entry stays in any case: what shows the error has it already.
    """
    inside = [is_inside(entry.tb_frame) for entry in entries]
    last = len(inside) - inside[::-1].index(True) - 1 if True in inside else 0
    first = last
    while first and inside[first - 1]:
        first -= 1
    shown = {0, first, last}
    kept = [entry for i, entry in enumerate(entries) if i in shown or not inside[i]]
    for entry, following in zip(kept, [*kept[1:], None], strict=True):
        entry.tb_next = following


def _advise(error: BaseException) -> None:
    """Say what a name is called that a namespace of cinta lacks."""
    if isinstance(error, TypeError):
        _advise_on_argument(error)
    if not isinstance(error, (AttributeError, ImportError)):
        return
    module, name = _looked_up(error)
    if module.partition(".")[0] != _PACKAGE:
        return
    from .missing_names import advice

    text = advice("tf" + module.removeprefix(_PACKAGE), name)
    if not text:
        return
    if not str(error).endswith(text):
        error.args = (f"{str(error).rstrip('.')}.{text}",)
    if isinstance(error, AttributeError):
        error.obj = None  # else Python adds a guess of its own
    else:
        error.msg = error.args[0]


def _advise_on_argument(error: TypeError) -> None:
    """Say what an argument is called that a function of cinta does not have."""
    function, _, name = str(error).partition("() got an unexpected keyword argument ")
    if not name or len(error.args) != 1:
        return
    from .missing_names import argument

    meant = argument(function, name.strip("'"))
    if meant is not None:
        error.args = (f"{error}. Did you mean {meant}?",)


def _looked_up(error: AttributeError | ImportError) -> tuple[str, str]:
    """The module and the name in it that an error is about; empty if it is about others."""
    if isinstance(error, AttributeError):
        if isinstance(error.obj, ModuleType):
            return error.obj.__name__, error.name or ""
        return "", ""
    said = str(error).split("'")
    if said[0] == "cannot import name " and len(said) > 3:
        return said[3], said[1]
    if said[0] == "No module named ":
        module, _, name = said[1].rpartition(".")
        return module, name
    return "", ""


def _at_users_line(show: Callable[..., None]) -> Callable[..., None]:
    """Show what NumPy warns of at the user's line, and not at all where no user's line runs.

    By default no warning is shown: cinta has a filter. Programs may put theirs in front of it.
    """

    def showwarning(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: object = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, RuntimeWarning):
            frame, through_ours = _first_outside()
            if through_ours and frame is None:
                return
            if through_ours and frame is not None:
                filename, lineno, line = frame.f_code.co_filename, frame.f_lineno, None
        show(message, category, filename, lineno, file, line)

    return showwarning


_CALLED = ("warnings", "numpy.", "scipy.")
"""Modules whose code may run when something warns that cinta has called."""


def _first_outside() -> tuple[FrameType | None, bool]:
    """The innermost frame of the user, and whether cinta runs inside of it."""
    frame: FrameType | None = sys._getframe(2)
    through_ours = False
    while frame is not None:
        if is_inside(frame):
            through_ours = True
        elif not str(frame.f_globals.get("__name__")).startswith(_CALLED):
            break
        frame = frame.f_back
    if frame is not None and frame.f_globals.get("__name__") in _THREADS:
        return None, through_ours
    return frame, through_ours


_THREADS = ("threading", "concurrent.futures.thread")
"""Modules that call cinta's functions on threads of their own."""


def install() -> None:
    """Put errors in order before they are shown, by whatever shows them now; warnings too."""
    warnings.showwarning = _at_users_line(warnings.showwarning)
    sys.excepthook = _after_order(sys.excepthook, lambda kind, error, trace: error)
    threading.excepthook = _after_order(threading.excepthook, lambda args: args.exc_value)
    if "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
        if shell is not None:
            shell.showtraceback = _after_order(shell.showtraceback, _error_of_shell)


def _after_order(
    show: Callable[..., Any], error_of: Callable[..., BaseException | None]
) -> Callable[..., Any]:
    def show_in_order(*args: object, **kwargs: object) -> Any:
        put_in_order(error_of(*args, **kwargs))
        return show(*args, **kwargs)

    return show_in_order


def _error_of_shell(exc_tuple: Any = None, *args: object, **kwargs: object) -> BaseException | None:
    error: BaseException | None = sys.exc_info()[1] if exc_tuple is None else exc_tuple[1]
    return error
