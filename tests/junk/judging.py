"""Calls with junk, made in bounded time and memory, and what is wrong with how they end."""

import ast
import inspect
import linecache
import resource
import signal
import sys
import traceback
import warnings
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cinta as tf
from tests.junk.table import raises_too

PACKAGE = Path(tf.__file__).parent
ROOM = 2**30
SECONDS = 1.0

GENERAL = ("[Op:", "cast", "convert", "dimension", "dtype", "indices", "input", "shape")
GENERAL += (
    "between the bounds",
    "checkpoint",
    "device spec",
    "directory",
    "frame",
    "mel_bins",
    "range",
    "seed",
    "files",
    "operator",
    "SavedModel",
    "string",
    "Subscripts",
    "structure",
    "tensor",
    "truth value",
)
"""The subject of a message, where it does not name the argument."""

OF_THEIR_OWN = {
    "tf.Tensor.gpu": RuntimeError,  # as TensorFlow's where there is no such device
    "tf.Tensor.eval": NotImplementedError,  # as TensorFlow's
    "tf.GradientTape": AttributeError,  # as `gradient` of what was never recorded
    "tf.linalg.LinearOperator": NotImplementedError,  # as TensorFlow's of an operator's hints
    "tf.compat.v1.Session": NotImplementedError,  # as of all that needs a graph
    "tf.compat.v1.Session.run": RuntimeError,  # as TensorFlow's of an empty graph
    "tf.compat.dimension_at_index": IndexError,  # as TensorFlow's of a shape that is known
    "tf.compat.v1.Dimension": ZeroDivisionError,  # as TensorFlow's, and Python's
    "tf.experimental.numpy": IndexError,  # as NumPy's
    "tf.xla.experimental.jit_scope": RuntimeError,  # as TensorFlow's outside of graphs
    "tf.test.compute_gradient": AssertionError,  # as TensorFlow's of dtypes without gradients
    "tf.compat.v1.disable_eager_execution": NotImplementedError,  # as of all that needs a graph
    "tf.distribute.ParameterServerStrategy": NotImplementedError,  # as of what cinta does not do
    "tf.distribute.Server": NotImplementedError,  # as of what cinta does not do
    "tf.gradients": RuntimeError,  # as TensorFlow's outside of graphs
    "tf.hessians": RuntimeError,  # as TensorFlow's outside of graphs
    "tf.random.Generator": AssertionError,  # as TensorFlow's without a state or an algorithm
    "tf.saved_model.experimental.read_fingerprint": FileNotFoundError,  # as TensorFlow's
    "tf.vectorized_map": IndexError,  # as TensorFlow's of scalars
    "tf.experimental.numpy.size": NotImplementedError,  # as TensorFlow's of its axis
}
"""Errors of other kinds, where TensorFlow raises them for other calls of the kind."""

BEFORE, CALL = "what comes before", "the call"

FROM_PYTHON = ("object is not callable", "positional argument", "keyword", "takes no arguments")
FROM_PYTHON += ("Protocols cannot be instantiated",)
"""Messages of Python's about calls that are clear enough."""


class TooLong(BaseException):
    """The call did not come to an end in time."""


@contextmanager
def bounded():
    """Whatever is called here has so much memory and, each time that it is asked for, time."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + ROOM
        resource.setrlimit(resource.RLIMIT_AS, (limit, before[1]))
    handler = signal.signal(signal.SIGPROF, _stop), signal.signal(signal.SIGALRM, _stop)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
        signal.signal(signal.SIGPROF, handler[0])
        signal.signal(signal.SIGALRM, handler[1])


def _stop(*_):
    raise TooLong


@contextmanager
def in_time():
    """Within a second of the processor's time, and without waiting long."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.setitimer(signal.ITIMER_REAL, 10 * SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def outcome(code, names):
    """The exception that a call raises, None if it returns; and the warnings."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"cinta\.")
        try:
            with in_time():
                eval(code, names)
        except (Exception, TooLong) as error:
            return error, heard
    return None, heard


def complaint(subject, call, error, heard):
    """The fault in how a call ended; None if it works, or says what it should."""
    deep = [each for each in heard if _is_deep(each.filename)]
    if deep:
        return f"warns from the depths: {deep[0].message!r} in {deep[0].filename}"
    if error is None:
        return None
    if isinstance(error, TooLong):
        return "takes too long"
    kinds = (TypeError, ValueError, tf.errors.OpError, *kinds_of_its_own(subject.name))
    if not isinstance(error, kinds) and not raises_too(call, error):
        return f"raises an error of a strange kind: {error!r}"
    if any(words in str(error) for words in FROM_PYTHON) and isinstance(error, TypeError):
        return None
    if isinstance(error, UnicodeError) or _last_path(error) in (BEFORE, CALL):
        return None  # Python says it as clearly as can be; or a function of the user's raised it
    if not is_raised_here(error):
        return f"reaches too deep: {error!r}"
    if not any(word.lower() in str(error).lower() for word in [*GENERAL, *_words(subject)]):
        return f"names neither op nor argument: {error!r}"
    return None


def kinds_of_its_own(name):
    """The other kinds of errors that a function may raise."""
    return [kind for start, kind in OF_THEIR_OWN.items() if name.startswith(start)]


def _is_deep(path):
    return PACKAGE in Path(path).parents or "site-packages" in path


def _words(subject):
    words = subject.name.split(".")[-2:]
    try:
        return [*words, *inspect.signature(subject.callee).parameters]
    except (TypeError, ValueError):
        return words


def is_raised_here(error):
    """Whether a ``raise`` of the package was the last thing that ran."""
    path = _last_path(error)
    line = traceback.extract_tb(error.__traceback__)[-1].lineno
    return PACKAGE in Path(path).parents and line in _raising(path)


def _last_path(error):
    return traceback.extract_tb(error.__traceback__)[-1].filename


@cache
def _raising(path):
    """The lines of a file on which something is raised."""
    tree = ast.parse("".join(linecache.getlines(path)))
    raises = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return {line for node in raises for line in range(node.lineno, node.end_lineno + 1)}
