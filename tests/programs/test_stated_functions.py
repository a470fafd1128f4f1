"""Statements of the page about functions: things that are not understood, and results."""

import contextvars
import ctypes
import functools
import mmap
import operator
import os
import subprocess
import sys
import time
import typing
import uuid
import weakref

import numpy as np
import pytest

import cinta as tf

TABLE, ROWS = {"a": 2.0}, [1.0]
GET, LOG = TABLE.get, ROWS.append
ITERATOR, GENERATOR = iter([2.0] * 9), (2.0 for _ in range(9))
VARIABLE = contextvars.ContextVar("variable", default=2.0)
NUMBER, MAPPED, VIEW = ctypes.c_int(2), mmap.mmap(-1, 8), memoryview(bytearray(8))
SHAPE = operator.attrgetter("shape")
LONG, LARGE = [2.0] * 2000, np.full(100_000, 2.0)


class Holder:
    """An object to refer to weakly."""


HOLDER = Holder()
WEAK = weakref.ref(HOLDER)


@typing.runtime_checkable
class Reader(typing.Protocol):
    """All objects that can be read."""

    def read(self): ...


@functools.lru_cache
def cached(number):
    return number


@functools.singledispatch
def dispatched(number):
    return number


NOT_UNDERSTOOD = {
    "a method apart from its object": lambda x: x * GET("a"),
    "another": lambda x: LOG(1.0) or x,
    "an iterator": lambda x: x * next(ITERATOR),
    "a generator": lambda x: x * next(GENERATOR),
    "a weak reference": lambda x: x * float(WEAK() is HOLDER),
    "a view": lambda x: x * float(VIEW[0]),
    "a context variable": lambda x: x * VARIABLE.get(),
    "ctypes": lambda x: x * float(NUMBER.value),
    "mapped memory": lambda x: x * float(MAPPED[0]),
    "a cache": lambda x: x * cached(2.0),
    "singledispatch": lambda x: x * dispatched(2.0),
    "attrgetter": lambda x: x * float(len(SHAPE(x))),
    "a protocol": lambda x: x * float(isinstance(HOLDER, Reader)),
    "a clock": lambda x: x * time.time(),
    "the system": lambda x: x * float(os.getpid()),
    "urandom": lambda x: x * float(os.urandom(1)[0]),
    "uuid4": lambda x: x * float(uuid.uuid4().int % 7),
    "id": lambda x: x * float(id(HOLDER) % 7),
    "eval": lambda x: x * eval("2.0"),
    "exec": lambda x: exec("pass") or x,
    "globals": lambda x: x * float(len(globals()) > 0),
    "sys.modules": lambda x: x * float("os" in sys.modules),
    "a long list": lambda x: x * LONG[0],
    "an item of a large array": lambda x: x * LARGE[0].item(),
    "a sum of a large array": lambda x: x * LARGE.sum(),
}


@pytest.mark.parametrize("name", NOT_UNDERSTOOD)
def test_what_is_not_understood_runs_as_python_and_says_so_once(name):
    f = tf.function(NOT_UNDERSTOOD[name])
    with pytest.warns(UserWarning, match="runs its Python at every call") as caught:
        _ = [f(tf.constant([1.0])) for _ in range(3)]
    assert len(caught) == 1
    assert f.report().replays == 0


def test_an_object_of_scipy_needs_no_special_functions():
    code = (
        "import sys, scipy.sparse, cinta as tf; matrix = scipy.sparse.eye_array(2).tocsr();"
        "print('scipy.special' in sys.modules);"
        "f = tf.function(lambda x: x * float(matrix.nnz));"
        "print([float(f(tf.constant(1.0))) for _ in range(2)], f.report().replays)"
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["False", "[2.0, 2.0] 0"]


def test_results_come_without_attributes():
    @tf.function
    def marked(x):
        y = x * 2.0
        y.mark = 1
        return y

    assert not any(hasattr(marked(tf.constant(1.0)), "mark") for _ in range(3))


def test_a_recording_that_depends_on_places_of_rows_serves_the_same_places():
    sums = tf.function(lambda rows: tf.reduce_sum(rows, axis=1))
    for rows in ([[1.0, 2.0], [3.0]], [[1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0]]):
        sums(tf.ragged.constant(rows))
    assert sums.experimental_get_tracing_count() == 2
    assert sums.report().replays == 1
