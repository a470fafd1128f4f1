"""Functions that functions call, and gradients."""

import operator

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change, doubled, tripled


@change
def a_function_of_python():
    k = 2.0
    yield lambda x: tf.py_function(lambda x: x * k, [x], tf.float32)
    k = 3.0
    yield


@change
def a_function_of_numpy():
    k = np.float32(2.0)
    yield lambda x: tf.numpy_function(lambda x: x * k, [x], tf.float32)
    k = np.float32(3.0)
    yield


@change
def a_function_of_python_that_counts():
    count = 0

    def counted(x):
        nonlocal count
        count += 1
        return x * count

    yield lambda x: tf.py_function(counted, [x], tf.float32)
    count = 50
    yield


@change
def which_function_of_python():
    g = doubled
    yield lambda x: tf.py_function(g, [x], tf.float32)
    g = tripled
    yield


@change
def which_function_of_c():
    g = operator.neg
    yield lambda x: tf.py_function(g, [x], tf.float32)
    g = operator.pos
    yield


@change
def another_function():
    k = 2.0
    inner = tf.function(lambda x: x * k)
    yield lambda x: inner(x)
    k = 3.0
    yield


@change
def another_function_that_is_replaced():
    inner = tf.function(lambda x: x * 2.0)
    yield lambda x: inner(x)
    inner = tf.function(lambda x: x * 3.0)
    yield


@change
def the_function_that_another_wraps():
    inner = tf.function(lambda x: x * 2.0)
    yield lambda x: inner.python_function(x)
    inner = tf.function(lambda x: x * 3.0)
    yield


@change
def another_function_called_before():
    k = 2.0
    inner = tf.function(lambda x: x * k)
    inner(tf.constant(1.0))
    inner(tf.constant(1.0))
    yield lambda x: inner(x) + 1.0
    k = 3.0
    yield


@change
def a_concrete_function():
    v = tf.Variable(2.0)
    concrete = tf.function(lambda x: x * v).get_concrete_function(tf.constant(1.0))
    yield lambda x: concrete(x)
    v.assign(3.0)
    yield


@change
def a_method_that_is_a_function():
    class Model:
        k = 2.0

        @tf.function
        def step(self, x):
            return x * self.k

    model = Model()
    yield lambda x: model.step(x)
    model.k = 3.0
    yield


@change
def a_function_on_a_class():
    class Model:
        @tf.function
        def step(self, x):
            return x * 2.0

    model = Model()
    yield lambda x: model.step(x)
    Model.step = tf.function(lambda self, x: x * 3.0)
    yield


@change
def a_method_of_another_object():
    class Model:
        def __init__(self, k):
            self.k = k

        @tf.function
        def step(self, x):
            return x * self.k

    models = [Model(2.0), Model(3.0)]
    yield lambda x: models[0].step(x)
    models.reverse()
    yield


@change
def a_gradient():
    k = 2.0

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**k
        return tape.gradient(y, x)

    yield f
    k = 3.0
    yield


@change
def a_custom_gradient():
    k = 2.0

    @tf.custom_gradient
    def scaled(x):
        return x * 1.0, lambda upstream: upstream * k

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return tape.gradient(y, x)

    yield f
    k = 3.0
    yield


@change
def the_function_of_a_custom_gradient():
    k = 2.0

    @tf.custom_gradient
    def scaled(x):
        return x * k, lambda upstream: upstream

    yield lambda x: scaled(x)
    k = 3.0
    yield


@change
def an_object_in_a_custom_gradient():
    box = Box(k=2.0)

    @tf.custom_gradient
    def clipped(x):
        def gradient(upstream):
            return tf.clip_by_value(upstream, -box.k, box.k)

        return x * 10.0, gradient

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = clipped(x) * 10.0
        return tape.gradient(y, x)

    yield f
    box.k = 3.0
    yield


@change
def a_gradient_outside_of_the_function():
    k = 2.0

    @tf.custom_gradient
    def scaled(x):
        return x * 1.0, lambda upstream: upstream * k

    inner = tf.function(lambda x: scaled(x))

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        return tape.gradient(y, x)

    yield f
    k = 3.0
    yield


@change
def what_is_recomputed():
    k = 2.0
    again = tf.recompute_grad(lambda x: x * x * k)

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = again(x)
        return tape.gradient(y, x)

    yield f
    k = 3.0
    yield


@change
def a_setting_of_the_tape():
    wanted = True

    def f(x):
        with tf.GradientTape(watch_accessed_variables=wanted) as tape:
            y = v * x
        gradient = tape.gradient(y, v)
        return x * 5.0 if gradient is None else gradient

    v = tf.Variable(2.0)
    yield f
    wanted = False
    yield


@change
def where_a_gradient_stops():
    stops = False
    v = tf.Variable(2.0)

    def f(x):
        with tf.GradientTape() as tape:
            y = x * v + (tf.stop_gradient(v) if stops else v)
        return tape.gradient(y, v)

    yield f
    stops = True
    yield


@change
def the_shape_of_a_jacobian():
    k = 2.0

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.stack([x, k * x])
        return tape.jacobian(y, x)

    yield f
    k = 3.0
    yield


@change
def a_function_run_eagerly():
    calls = []

    def f(x):
        calls.append(1)
        return x * len(calls)

    yield f
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)
