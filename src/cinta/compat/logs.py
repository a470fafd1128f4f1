"""The functions of tf.compat.v1.logging, which write to the logger of ``tf.get_logger``."""

from __future__ import annotations

import sys
from collections import Counter
from logging import getLevelNamesMapping
from typing import TYPE_CHECKING, Any

from ..ops.arguments import whole_number
from ..programs.graph_compat import get_logger
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable

DEBUG = public("compat.v1.logging.DEBUG")(10)
INFO = public("compat.v1.logging.INFO")(20)
WARN = public("compat.v1.logging.WARN")(30)
ERROR = public("compat.v1.logging.ERROR")(40)
FATAL = public("compat.v1.logging.FATAL")(50)

_calls: Counter[tuple[str, int]] = Counter()
"""How often each line has called a function that does not log at every call."""


@public("compat.v1.logging.log", "compat.v1.logging.vlog")
def log(level: int, msg: object, *args: object, **kwargs: Any) -> None:
    """Log a text at a level, with the arguments in its places as by ``%``.

    >>> import cinta as tf
    >>> tf.compat.v1.logging.log(tf.compat.v1.logging.DEBUG, "step %d", 3)

    Args:
        level: The level, such as ``tf.compat.v1.logging.INFO``.
        msg: The text, with places for the arguments as for ``%``.
    """
    _write(level, msg, args, **kwargs)


def _write(level: int, msg: object, args: tuple[object, ...], **kwargs: Any) -> None:
    """Log for the function that calls this, as if from the line that calls that one."""
    get_logger().log(whole_number(level, "level"), msg, *args, stacklevel=3, **kwargs)


def _positive(n: object) -> int:
    number = whole_number(n, "n")
    if number < 1:
        raise ValueError(f"`n` must be at least 1, got {n!r}.")
    return number


def _holds(condition: object) -> bool:
    try:
        return bool(condition)
    except (TypeError, ValueError):
        raise ValueError(f"`condition` must be one truth value, got {condition!r}.") from None


_DOCSTRING = """{does}

    >>> import cinta as tf
    >>> tf.compat.v1.logging.{name}("step 3")

    Args:
        msg: The text, with places for the arguments as for ``%``.
    """


def _at(level: int, name: str, does: str) -> Callable[..., None]:
    """The function that logs at a level."""

    def log_at_level(msg: object, *args: object, **kwargs: object) -> None:
        _write(level, msg, args, **kwargs)

    log_at_level.__name__ = log_at_level.__qualname__ = name
    log_at_level.__doc__ = _DOCSTRING.format(does=does, name=name)
    return log_at_level


debug = public("compat.v1.logging.debug")(_at(DEBUG, "debug", "Log what helps to find errors."))
info = public("compat.v1.logging.info")(_at(INFO, "info", "Log how a program goes on."))
warning = public("compat.v1.logging.warning", "compat.v1.logging.warn")(
    _at(WARN, "warning", "Log what may be wrong.")
)
error = public("compat.v1.logging.error")(_at(ERROR, "error", "Log an error."))
fatal = public("compat.v1.logging.fatal")(
    _at(FATAL, "fatal", "Log an error after which a program cannot go on; it goes on all the same.")
)
TaskLevelStatusMessage = public("compat.v1.logging.TaskLevelStatusMessage")(
    _at(ERROR, "TaskLevelStatusMessage", "Log the state of a task.")
)


@public("compat.v1.logging.log_if")
def log_if(level: int, msg: object, condition: object, *args: object) -> None:
    """Log a text if a condition holds.

    >>> import cinta as tf
    >>> tf.compat.v1.logging.log_if(tf.compat.v1.logging.WARN, "step %d", False, 3)

    Args:
        level: The level, such as ``tf.compat.v1.logging.INFO``.
        msg: The text, with places for the arguments as for ``%``.
        condition: Whether to log.
    """
    if _holds(condition):
        _write(level, msg, args)


@public("compat.v1.logging.log_every_n")
def log_every_n(level: int, msg: object, n: int, *args: object) -> None:
    """Log the first of every ``n`` calls from a line of the program.

    >>> import cinta as tf
    >>> tf.compat.v1.logging.log_every_n(tf.compat.v1.logging.DEBUG, "step %d", 50, 3)

    Args:
        level: The level, such as ``tf.compat.v1.logging.INFO``.
        msg: The text, with places for the arguments as for ``%``.
        n: The number of calls of which one logs.
    """
    if _earlier_calls() % _positive(n) == 0:
        _write(level, msg, args)


@public("compat.v1.logging.log_first_n")
def log_first_n(level: int, msg: object, n: int, *args: object) -> None:
    """Log the first ``n`` calls from a line of the program.

    >>> import cinta as tf
    >>> tf.compat.v1.logging.log_first_n(tf.compat.v1.logging.DEBUG, "step %d", 2, 3)

    Args:
        level: The level, such as ``tf.compat.v1.logging.INFO``.
        msg: The text, with places for the arguments as for ``%``.
        n: How many calls log.
    """
    if _earlier_calls() < whole_number(n, "n"):
        _write(level, msg, args)


def _earlier_calls() -> int:
    """How often the line that calls the function above has called it before."""
    frame = sys._getframe(2)
    line = frame.f_code.co_filename, frame.f_lineno
    _calls[line] += 1
    return _calls[line] - 1


@public("compat.v1.logging.get_verbosity")
def get_verbosity() -> int:
    """The level from which on texts are shown.

    >>> import cinta as tf
    >>> tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    >>> tf.compat.v1.logging.get_verbosity() == tf.compat.v1.logging.ERROR
    True
    """
    return get_logger().getEffectiveLevel()


@public("compat.v1.logging.set_verbosity")
def set_verbosity(v: int | str) -> None:
    """Show texts from this level on.

    >>> import cinta as tf
    >>> tf.compat.v1.logging.set_verbosity("WARNING")

    Args:
        v: The level, as a number or by its name.

    Raises:
        ValueError: No level has this name.
    """
    levels = getLevelNamesMapping()
    if isinstance(v, str) and v not in levels:
        raise ValueError(f"Unknown level: {v!r}; it has to be one of {', '.join(levels)}.")
    get_logger().setLevel(v if isinstance(v, str) else whole_number(v, "v"))


@public("compat.v1.logging.flush")
def flush() -> None:
    """Write out what was logged.

    >>> import cinta as tf
    >>> tf.compat.v1.logging.flush()
    """
    for handler in get_logger().handlers:
        handler.flush()
