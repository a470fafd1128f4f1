"""Settings of Python and of libraries, which all functions that depend on them look at."""

from __future__ import annotations

import sys
import time
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine import settings

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable


class Setting(NamedTuple):
    """A setting of a library that all its functions depend on."""

    label: str
    look: Callable[[], Any]


def _of_keras() -> tuple[Any, ...]:
    """Keras's settings, and what it keeps for this thread while a layer is called."""
    config = sys.modules["keras.src.backend.config"]
    state = vars(sys.modules["keras.src.backend.common.global_state"].GLOBAL_STATE_TRACKER)
    policy, cast = state.get("dtype_policy"), state.get("autocast_scope")
    context = vars(state["current_call_ctx"]) if state.get("current_call_ctx") else {}
    told = [(k, v) for k, v in context.items() if v is not None and k != "entry_layer"]
    return (
        *(config.floatx(), config.epsilon(), config.image_data_format()),
        *(config.floatx() if policy is None else policy.name, cast and cast.dtype, *told),
        *(state.get("stateless_scope"), custom_objects_of_keras()),
    )


def custom_objects_of_keras() -> dict[str, Any]:
    """The objects that Keras finds by names that programs gave to them."""
    registration = sys.modules["keras.src.saving.object_registration"]
    state = vars(sys.modules["keras.src.backend.common.global_state"].GLOBAL_STATE_TRACKER)
    return {**registration.GLOBAL_CUSTOM_OBJECTS, **(state.get("custom_objects_scope_dict") or {})}


def _of_decimals() -> str:
    import decimal

    return repr(decimal.getcontext())


def _of_printing() -> tuple[Any, ...]:
    return sys.get_int_max_str_digits(), *np.get_printoptions().items()


def _of_copying() -> dict[type, Any]:
    import copyreg

    return dict(copyreg.dispatch_table)


def _of_logging() -> tuple[Any, ...]:
    import logging

    return logging.root.manager.disable, *logging._levelToName.items()


def _of_loggers() -> tuple[Any, ...]:
    import logging

    loggers = logging.root.manager.loggerDict.copy()
    named = [(name, x) for name, x in loggers.items() if isinstance(x, logging.Logger)]
    return tuple([(name, *told_to_logger(x)) for name, x in [("root", logging.root), *named]])


def told_to_logger(logger: logging.Logger) -> tuple[Any, ...]:
    """The settings that decide whether a logger logs, and to whom."""
    asked = logger.getEffectiveLevel(), logger.disabled, logger.hasHandlers()
    return *asked, *logger.filters, *logger.handlers


def _of_times() -> tuple[Any, ...]:
    return time.tzname, time.timezone, time.altzone


def _of_special_functions() -> object:
    special = sys.modules.get("scipy.special")  # other parts of SciPy need not have imported it
    return special and special.geterr()


def _of_floats() -> bool:
    return settings.prefer_float32


def _of_summaries() -> tuple[Any, ...]:
    """Whether summaries are written, and at which step; a condition may say otherwise each time."""
    state = sys.modules["cinta.summary.writers"].state
    condition = state.condition
    allowed = object() if callable(condition) else bool(getattr(condition, "_array", condition))
    return state.writer is not None, allowed, getattr(state.step, "_number", state.step)


def _of_warnings() -> tuple[Any, ...]:
    return warnings.defaultaction, *warnings.filters  # type: ignore[attr-defined]


def _of_errors() -> type | None:
    return sys.exc_info()[0]


SETTINGS = {
    "numpy": Setting("np.geterr()", np.geterr),
    "texts": Setting("how numbers and arrays are printed", _of_printing),
    "copy": Setting("copyreg.dispatch_table", _of_copying),
    "decimal": Setting("the context of decimals", _of_decimals),
    "warnings": Setting("warnings.filters", _of_warnings),
    "_warnings": Setting("warnings.filters", _of_warnings),
    "logging": Setting("what logging is told", _of_logging),
    "loggers": Setting("what loggers are told", _of_loggers),
    "datetime": Setting("the time zone", _of_times),
    "scipy": Setting("scipy.special.geterr()", _of_special_functions),
    "cinta.experimental.numpy": Setting("whether float32 is preferred", _of_floats),
    "cinta.summary": Setting("where summaries are written", _of_summaries),
    "sys": Setting("the error that is being handled", _of_errors),
    "keras": Setting("the settings of Keras", _of_keras),
}
"""Settings by the package of what depends on them."""
