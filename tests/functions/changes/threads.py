"""Changes that other threads make, and calls on other threads."""

import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


def elsewhere(function, *arguments):
    """Call a function on a thread of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *arguments).result()


@change
def an_object_changed_by_another_thread():
    box = Box(k=2.0)
    yield lambda x: x * box.k
    elsewhere(setattr, box, "k", 3.0)
    yield


@change
def a_variable_assigned_by_another_thread():
    v = tf.Variable(2.0)
    yield lambda x: x * v
    elsewhere(v.assign, 3.0)
    yield


@change
def a_call_on_another_thread():
    box = Box(k=2.0)
    inner = tf.function(lambda x: x * box.k)

    def f(x):
        return elsewhere(inner, x)

    yield f
    box.k = 3.0
    yield


@change
def a_field_of_another_thread():
    local = threading.local()
    inner = tf.function(lambda x: x * getattr(local, "k", 5.0))

    def f(x):
        return inner(x) + elsewhere(inner, x)

    yield f
    local.k = 3.0
    yield


@change
def a_variable_of_contexts_of_another_thread():
    k = contextvars.ContextVar("k", default=2.0)
    inner = tf.function(lambda x: x * k.get())

    def f(x):
        return inner(x) + 10.0 * elsewhere(inner, x)

    yield f
    token = k.set(3.0)
    yield
    k.reset(token)


@change
def how_errors_are_handled_on_another_thread():
    def divided(x):
        try:
            return x * float(np.float64(1.0) / np.float64(0.0))
        except FloatingPointError:
            return x * 3.0

    inner = tf.function(divided)

    def quiet(x):
        with np.errstate(divide="ignore"):
            return inner(x)

    def strict(x):
        with np.errstate(divide="raise"):
            return inner(x)

    ways = [quiet]
    yield lambda x: elsewhere(ways[0], x)
    ways[0] = strict
    yield


@change
def who_calls():
    main = threading.get_ident()
    inner = tf.function(lambda x: x * (2.0 if threading.get_ident() == main else 3.0))
    ways = [lambda x: inner(x)]
    yield lambda x: ways[0](x)
    ways[0] = lambda x: elsewhere(inner, x)
    yield


@change
def a_tape_of_another_thread():
    v = tf.Variable(2.0)
    inner = tf.function(lambda x: x * v * v)

    def graded(x):
        with tf.GradientTape() as tape:
            y = inner(x)
        return tape.gradient(y, v)

    yield lambda x: elsewhere(graded, x)
    v.assign(3.0)
    yield


@change
def a_recording_made_on_another_thread():
    box = Box(k=2.0)
    inner = tf.function(lambda x: x * box.k)
    elsewhere(inner, tf.constant(1.0))
    yield lambda x: inner(x)
    box.k = 3.0
    yield
