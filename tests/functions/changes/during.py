"""Changes that happen while a call runs, and calls in calls."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def a_number_changed_by_a_function_of_python():
    ks, calls = [2.0], []

    def late(x):
        calls.append(1)
        if len(calls) > 3:
            ks[0] += 1.0
        return x

    yield lambda x: tf.py_function(late, [x], tf.float32) * ks[0]
    yield


@change
def a_variable_assigned_by_a_function_of_python():
    v, calls = tf.Variable(2.0), []

    def late(x):
        calls.append(1)
        if len(calls) > 3:
            v.assign_add(1.0)
        return x

    yield lambda x: tf.py_function(late, [x], tf.float32) * v
    yield


@change
def a_variable_read_before_and_after_a_function_of_python():
    v = tf.Variable(2.0)

    def assign(x):
        v.assign_add(1.0)
        return x

    def f(x):
        before = v * 1.0
        y = tf.py_function(assign, [x], tf.float32)
        return y * before + v

    yield f
    v.assign(10.0)
    yield


@change
def an_array_changed_by_a_function_of_numpy():
    ks = np.ones(2, np.float32)

    def late(x):
        ks[0] += 1
        return x

    yield lambda x: tf.numpy_function(late, [x], tf.float32) * ks
    ks[1] = 5
    yield


@change
def a_call_in_a_call():
    box = Box(k=2.0)

    @tf.function
    def inner(x):
        return x * box.k

    def f(x):
        y = inner(x)
        z = tf.py_function(lambda x: inner(x) + 1.0, [x], tf.float32)
        return y + z

    yield f
    box.k = 3.0
    yield


@change
def a_function_that_calls_itself():
    depth = Box(most=2)

    @tf.function
    def f(x, n=0):
        return x if n == depth.most else 2.0 * f(x, n + 1)

    yield lambda x: f(x)
    depth.most = 3
    yield


@change
def a_change_between_two_calls_in_a_call():
    ks = [2.0]

    @tf.function
    def inner(x):
        return x * ks[0]

    def f(x):
        y = inner(x)
        ks[0] += 1.0
        return y + inner(x)

    yield f
    ks[0] = 10.0
    yield


@change
def a_change_between_a_call_and_its_gradient():
    ks = [2.0]

    @tf.custom_gradient
    def scaled(x):
        return x * 1.0, lambda upstream: upstream * ks[0]

    inner = tf.function(lambda x: scaled(x))

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        ks[0] += 1.0
        return tape.gradient(y, x)

    yield f
    ks[0] = 10.0
    yield


@change
def a_variable_that_changes_between_a_call_and_its_gradient():
    v = tf.Variable(2.0)
    inner = tf.function(lambda x: x * v)

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        v.assign_add(1.0)
        return tape.gradient(y, [x, v])

    yield f
    v.assign(10.0)
    yield


@change
def an_error_after_a_function_of_python():
    calls = []

    def counted(x):
        calls.append(1)
        return x * len(calls)

    def f(x, places):
        y = tf.py_function(counted, [x], tf.float32)
        return y + tf.gather([1.0, 2.0], places)

    yield f, tf.constant(1.5), tf.constant(1)
    yield tf.constant(1.5), tf.constant(7)
    yield tf.constant(1.5), tf.constant(1)


@change
def an_error_after_an_assignment():
    v = tf.Variable(1.0)

    def f(x, places):
        v.assign_add(1.0)
        return v * tf.gather([1.0, 2.0], places)

    yield f, tf.constant(1.5), tf.constant(1)
    v.assign(5.0)
    yield tf.constant(1.5), tf.constant(0)


@change
def a_result_that_is_changed():
    ks = [tf.constant(2.0)]

    def f(x):
        return [x * ks[0]]

    yield f
    f(tf.constant(1.0)).clear()
    ks[0] = tf.constant(3.0)
    yield


@change
def a_context_that_opens_at_the_call():
    scale = Box(k=1.0)

    class Doubled:
        def __enter__(self):
            scale.k *= 2.0

        def __exit__(self, *error):
            scale.k /= 2.0

    def f(x):
        with doubled:
            return x * scale.k

    doubled = Doubled()
    yield f
    scale.k = 3.0
    yield


@change
def what_is_left_when_an_error_is_caught():
    box = Box(k=2.0)

    def f(x):
        try:
            return x * box.k + tf.gather([1.0], places)
        except tf.errors.InvalidArgumentError:
            return x * 5.0

    places = tf.constant(0)
    yield f
    places = tf.constant(3)
    yield
