"""Settings of the process that hold for a while: rounding, printing, warnings, loggers."""

import contextlib
import decimal
import gc
import locale
import logging
import warnings

import numpy as np

from tests.functions.changes.table import change


@change
def how_errors_of_numpy_are_handled():
    def f(x):
        try:
            return x * float(np.float64(1.0) / np.float64(0.0))
        except FloatingPointError:
            return x * 3.0

    with np.errstate(divide="ignore"):
        yield f
    with np.errstate(divide="raise"):
        yield


@change
def how_errors_of_numpy_are_said_to_be_handled():
    with np.errstate(divide="ignore"):
        yield lambda x: x * (3.0 if np.geterr()["divide"] == "raise" else 2.0)
    with np.errstate(divide="raise"):
        yield


@change
def how_numpy_prints():
    k = np.array([1.23456])
    yield lambda x: x * float(str(k)[1:-1])
    with np.printoptions(precision=2):
        yield


@change
def how_decimals_are_rounded():
    one, three = decimal.Decimal(1), decimal.Decimal(3)
    with decimal.localcontext(prec=3):
        yield lambda x: x * float(one / three)
    with decimal.localcontext(prec=1):
        yield


@change
def a_filter_of_warnings():
    def f(x):
        try:
            warnings.warn("a warning", stacklevel=1)
        except UserWarning:
            return x * 3.0
        return x * 2.0

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield f
        warnings.simplefilter("error")
        yield


@change
def the_level_of_a_logger():
    logger = logging.getLogger("a_program")
    yield lambda x: x * logger.getEffectiveLevel()
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(logging.NOTSET)


@change
def whether_a_logger_is_on():
    logger = logging.getLogger("a_program")
    yield lambda x: x * (3.0 if logger.isEnabledFor(logging.DEBUG) else 2.0)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(logging.NOTSET)


@change
def the_handlers_of_a_logger():
    logger = logging.getLogger("a_program")
    yield lambda x: x * len(logger.handlers)
    handler = logging.NullHandler()
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@change
def the_language():
    before = locale.setlocale(locale.LC_NUMERIC)
    yield lambda x: x * len(locale.setlocale(locale.LC_NUMERIC))
    locale.setlocale(locale.LC_NUMERIC, "C.UTF-8")
    try:
        yield
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)


@change
def whether_garbage_is_collected():
    yield lambda x: x * (2.0 if gc.isenabled() else 3.0)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@change
def an_exit_stack():
    k = [2.0]
    with contextlib.ExitStack() as stack:
        yield lambda x: x * k[0]
        stack.callback(k.clear)
        k[0] = 3.0
        yield


@change
def a_context_manager_made_by_a_generator():
    k = 2.0

    @contextlib.contextmanager
    def scope():
        yield k

    def f(x):
        with scope() as found:
            return x * found

    yield f
    k = 3.0
    yield
