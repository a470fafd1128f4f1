"""Programs that call a function again and again: eagerly, replayed by NumPy, or compiled by XLA."""

import contextlib
import warnings

import numpy as np
import pytest

import cinta as tf
from cinta.engine import settings

X = 1.5
"""The arguments of functions that name none."""


class Run:
    """The outcome of a program in one mode: its results, and the report on its function.

    The function is called ``first`` times before anything changes, and then ``later`` times.
    """

    def __init__(self, program, mode, first=3, later=2):
        self.results = []
        times = first
        with running(mode), contextlib.closing(program()) as steps:
            function, *arguments = _together(next(steps))
            arguments = arguments or [tf.constant(X)]
            self._function = tf.function(function)
            while True:
                self.results += [self._called(arguments) for _ in range(times)]
                try:
                    changed = next(steps)
                except StopIteration:
                    break
                arguments = arguments if changed is None else _together(changed)
                times = later

    def _called(self, arguments):
        try:
            return _plain(self._function(*arguments))
        except Exception as error:
            return type(error).__name__

    def report(self):
        return self._function.report()


def row_of(table):
    """A decorator that adds a program to a table, named after its module and itself."""

    def added(program):
        name = f"{program.__module__.rpartition('.')[2]}.{program.__name__}"
        assert name not in table, f"two rows are called {name}"
        table[name] = program
        return program

    return added


def marked(table, pending, every=1):
    """The names of the table, of which one in ``every`` is short; pending ones have to fail."""
    found = []
    for place, name in enumerate(table):
        marks = [pytest.mark.xfail] if name in pending else []
        if place % every:
            marks.append(pytest.mark.long)
        found.append(pytest.param(name, marks=marks))
    return found


@contextlib.contextmanager
def running(mode):
    """Run functions eagerly, or by an engine. Warnings of functions that run as Python are off."""
    engine = settings.engine
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "tf.function .* runs its Python")
        tf.config.run_functions_eagerly(mode == "eager")
        tf.config.set_engine("numpy" if mode == "eager" else mode)
        try:
            yield
        finally:
            tf.config.run_functions_eagerly(False)
            tf.config.set_engine(engine)


def _together(yielded):
    return yielded if isinstance(yielded, tuple) else (yielded,)


def _plain(structure):
    return [np.array(tf.convert_to_tensor(leaf)) for leaf in tf.nest.flatten(structure)]


def same(one, other, rtol):
    """Whether two lists of results are equal; errors are the same if their types are."""
    return len(one) == len(other) and all(map(_same, one, other, [rtol] * len(one)))


def _same(one, other, rtol):
    if isinstance(one, str) or isinstance(other, str):
        return isinstance(one, str) and isinstance(other, str) and one == other
    return len(one) == len(other) and all(
        a.shape == b.shape and a.dtype == b.dtype and _equal(a, b, rtol)
        for a, b in zip(one, other, strict=True)
    )


def _equal(a, b, rtol):
    if a.dtype.kind not in "fc":
        return np.array_equal(a, b)
    return np.allclose(a, b, rtol=rtol, atol=rtol, equal_nan=True)
