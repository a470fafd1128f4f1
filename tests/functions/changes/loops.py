"""Loops of Python that run as often as values say, and long loops: what their turns refer to."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def a_factor_of_a_while_loop():
    b = Box(k=0.5)

    def f(x):
        while tf.reduce_max(x) > 1.0:
            x = x * b.k
        return x

    yield (f, tf.constant([8.0]))
    yield tf.constant([100.0])
    b.k = 0.7
    yield tf.constant([50.0])
    yield tf.constant([5000.0])


@change
def a_limit_of_a_while_loop():
    b = Box(k=1.0)

    def f(x):
        n = tf.constant(0)
        while tf.reduce_max(x) > b.k:
            x = x * 0.5
            n += 1
        return (x, n)

    yield (f, tf.constant([8.0]))
    yield tf.constant([100.0])
    b.k = 0.1
    yield tf.constant([50.0])
    yield tf.constant([0.01])


@change
def a_variable_of_a_while_loop():
    v = tf.Variable(0.5)

    def f(x):
        while tf.reduce_max(x) > 1.0:
            x = x * v
        return x

    yield (f, tf.constant([8.0]))
    yield tf.constant([100.0])
    v.assign(0.9)
    yield tf.constant([50.0])
    yield tf.constant([0.5])


@change
def a_variable_that_a_while_loop_assigns():
    v = tf.Variable(0.0)

    def f(x):
        while tf.reduce_max(x) > 1.0:
            x = x * 0.5
            v.assign_add(1.0)
        return x + v

    yield (f, tf.constant([8.0]))
    yield tf.constant([100.0])
    v.assign(0.0)
    yield tf.constant([1000.0])
    yield tf.constant([0.5])


@change
def a_gradient_through_a_while_loop():
    w = tf.Variable(0.5)

    def f(x):
        with tf.GradientTape() as t:
            while tf.reduce_max(x) > 1.0:
                x = x * w
            y = tf.reduce_sum(x**2)
        return t.gradient(y, w)

    yield (f, tf.constant([8.0]))
    yield tf.constant([100.0])
    w.assign(0.8)
    yield tf.constant([1000.0])
    yield tf.constant([1.5])


@change
def a_break_in_a_loop():
    b = Box(n=50)

    def f(x):
        for _ in range(b.n):
            x = x * 0.9
            if tf.reduce_max(x) < 1.0:
                break
        return x

    yield (f, tf.constant([8.0]))
    yield tf.constant([100.0])
    b.n = 5
    yield tf.constant([100.0])
    yield tf.constant([1.05])


@change
def two_while_loops():
    b = Box(k=0.5)

    def f(x):
        while tf.reduce_max(x) > 10.0:
            x = x * 0.5
        y = x
        while tf.reduce_max(y) > 1.0:
            y = y * b.k
        return x + y

    yield (f, tf.constant([80.0]))
    yield tf.constant([700.0])
    yield tf.constant([5.0])
    b.k = 0.7
    yield tf.constant([0.5])
    yield tf.constant([900.0])


@change
def a_while_loop_in_a_while_loop():
    b = Box(k=0.5)

    def f(x):
        while tf.reduce_max(x) > 1.0:
            y = x
            while tf.reduce_max(y) > 0.5:
                y = y * b.k
            x = x * 0.7 - y * 0.1
        return x

    yield (f, tf.constant([3.0]))
    yield tf.constant([6.0])
    b.k = 0.7
    yield tf.constant([8.0])
    yield tf.constant([2.0])


@change
def a_while_loop_with_an_if():
    b = Box(k=0.5)

    def f(x):
        while tf.reduce_max(x) > 1.0:
            x = x - 3.0 if tf.reduce_sum(x) > 20.0 else x * b.k
        return x

    yield (f, tf.constant([8.0]))
    yield tf.constant([30.0])
    yield tf.constant([31.0])
    b.k = 0.9
    yield tf.constant([50.0])
    yield tf.constant([2.0])


@change
def a_loop_whose_shape_changes():
    b = Box(k=1.0)

    def f(x):
        while tf.size(x) > 2:
            x = x[1:] * b.k
        return x

    yield (f, tf.range(5.0))
    yield tf.range(7.0)
    b.k = 2.0
    yield tf.range(6.0)


@change
def a_loop_with_a_list_of_tensors():
    b = Box(k=1.0)

    def f(x):
        xs = []
        while tf.reduce_max(x) > 1.0:
            x = x * 0.5
            xs.append(x * b.k)
        return tf.add_n(xs) if xs else x

    yield (f, tf.constant([8.0]))
    yield tf.constant([30.0])
    b.k = 2.0
    yield tf.constant([30.0])
    yield tf.constant([0.3])


@change
def a_loop_that_reads_a_table():
    t = np.array([0.5, 0.6, 0.7, 0.8], np.float32)

    def f(x):
        i = tf.constant(0)
        while tf.reduce_max(x) > 1.0:
            x = x * tf.gather(t, i % 4)
            i += 1
        return x

    yield (f, tf.constant([8.0]))
    yield tf.constant([30.0])
    t[1] = 0.9
    yield tf.constant([30.0])
    yield tf.constant([0.3])


@change
def a_long_loop_over_a_list():
    ks = [1.0 + i * 0.001 for i in range(150)]

    def f(x):
        for k in ks:
            x = tf.sin(x * k) + 0.1 * x
        return x

    yield (f, tf.constant([8.0]))
    ks[100] = 0.3
    yield
    ks.append(3.0)
    yield


@change
def a_long_loop_that_assigns():
    v = tf.Variable([1.0, 2.0])

    def f(x):
        for _ in range(200):
            v.assign(0.9 * v + 0.1 * x)
            x = x + 0.01 * v
        return x

    yield (f, tf.constant([8.0, 1.0]))
    v.assign([0.0, 0.0])
    yield


@change
def a_long_loop_with_two_lags():
    def f(x):
        a, b = (x, x * 0.5)
        for _ in range(200):
            a, b = (b, 0.5 * a + 0.4 * tf.sin(b))
        return a + b

    yield (f, tf.constant([8.0, 1.0]))
    yield tf.constant([2.0, 1.0])
