"""Functions, classes, arrays and tensors as arguments that are changed between calls."""

import functools

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change, doubled, tripled

X = tf.constant(1.5)


@change
def a_function():
    yield (lambda x, step: step(x)), X, doubled
    yield X, tripled


@change
def what_a_function_refers_to():
    k = 2.0
    yield (lambda x, step: step(x)), X, lambda x: x * k
    k = 3.0
    yield


@change
def a_partial_over_an_object():
    box = Box(k=2.0)
    yield (lambda x, step: step(x)), X, functools.partial(lambda box, x: x * box.k, box)
    box.k = 3.0
    yield


@change
def a_method():
    class C(Box):
        def scaled(self, x):
            return x * self.k

    c = C(k=2.0)
    yield (lambda x, step: step(x)), X, c.scaled
    c.k = 3.0
    yield


@change
def a_bound_method_of_c():
    d = {"k": 2.0}
    yield (lambda x, get: x * get("k")), X, d.get
    d["k"] = 3.0
    yield


@change
def an_iterator():
    it = iter(range(1, 100))
    yield (lambda x, it: x * next(it)), X, it
    next(it)
    yield


@change
def a_generator_of_random_numbers():
    generator = np.random.default_rng(1)
    yield (lambda x, generator: x * generator.normal()), X, generator
    generator.normal()
    yield


@change
def a_class():
    class A:
        k = 2.0

    class B:
        k = 3.0

    yield (lambda x, kind: x * kind.k), X, A
    yield X, B


@change
def an_attribute_of_a_class():
    class A:
        k = 2.0

    yield (lambda x, kind: x * kind.k), X, A
    A.k = 3.0
    yield


@change
def an_array_that_is_changed():
    ks = np.ones(2, np.float32)
    yield (lambda x, ks: x * ks), X, ks
    ks[0] = 5.0
    yield


@change
def an_array_in_a_list():
    ks = [np.ones(2, np.float32)]
    yield (lambda x, ks: x * ks[0]), X, ks
    ks[0][0] = 5.0
    yield


@change
def an_array_in_an_object():
    box = Box(ks=np.ones(2, np.float32))
    yield (lambda x, box: x * box.ks), X, box
    box.ks[0] = 5.0
    yield


@change
def a_tensor_that_decides():
    yield (lambda x, k: x * 2.0 if k > 1.0 else x * 3.0), X, tf.constant(2.0)
    yield X, tf.constant(0.0)


@change
def a_tensor_of_another_shape():
    yield (lambda x, k: x * len(k)), X, tf.constant([1.0, 2.0])
    yield X, tf.constant([1.0, 2.0, 3.0])


@change
def a_tensor_in_an_object_that_is_replaced():
    box = Box(k=tf.constant(2.0))
    yield (lambda x, box: x * box.k), X, box
    box.k = tf.constant(3.0)
    yield


@change
def a_variable_after_a_tensor():
    yield (lambda x, v: x * (2.0 if isinstance(v, tf.Variable) else v)), X, tf.Variable(1.0)
    yield X, tf.constant(3.0)


@change
def another_variable():
    one, other = tf.Variable(2.0), tf.Variable(3.0)
    yield (lambda x, v: x * v), X, one
    yield X, other


@change
def the_same_variable_twice():
    def f(v, w):
        v.assign_add(1.0)
        return v + w

    one, other = tf.Variable(2.0), tf.Variable(5.0)
    yield f, one, other
    yield one, one


@change
def the_same_tensor_twice():
    yield (lambda x, y: x * (2.0 if x is y else 3.0)), X, tf.constant(1.5)
    yield X, X


@change
def the_same_object_twice():
    one, other = Box(k=2.0), Box(k=3.0)

    def f(x, a, b):
        return x * (2.0 if a is b else 3.0)

    yield f, X, one, other
    yield X, one, one


@change
def an_object_that_holds_itself():
    box = Box(k=2.0)
    box.me = box
    yield (lambda x, box: x * box.me.me.k), X, box
    box.k = 3.0
    yield


@change
def an_object_that_holds_an_argument():
    box = Box(k=2.0)
    yield (lambda x, box, other: x * other.inner.k), X, box, Box(inner=box)
    box.k = 3.0
    yield
