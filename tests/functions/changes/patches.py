"""Classes of libraries that somebody patches."""

import collections
import contextlib
import functools

import numpy as np

import cinta as tf
from tests.functions.changes.table import change

MISSING = object()


@contextlib.contextmanager
def patched(owner, name, value):
    """Give an attribute to a class for a while."""
    before = vars(owner).get(name, MISSING)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if before is MISSING:
            delattr(owner, name)
        else:
            setattr(owner, name, before)


@change
def a_method_of_tensors():
    with patched(tf.Tensor, "scaled", lambda self: self * 2.0):
        yield lambda x: x.scaled()
        tf.Tensor.scaled = lambda self: self * 3.0
        yield


@change
def what_a_method_of_tensors_refers_to():
    k = 2.0
    with patched(tf.Tensor, "scaled", lambda self: self * k):
        yield lambda x: x.scaled()
        k = 3.0
        yield


@change
def an_attribute_of_tensors():
    with patched(tf.Tensor, "k", 2.0):
        yield lambda x: x * x.k
        tf.Tensor.k = 3.0
        yield


@change
def a_method_of_variables():
    v = tf.Variable(1.0)
    with patched(tf.Variable, "scaled", lambda self: self * 2.0):
        yield lambda x: x * v.scaled()
        tf.Variable.scaled = lambda self: self * 3.0
        yield


@change
def an_operator_of_tensors():
    before = tf.Tensor.__matmul__
    with patched(tf.Tensor, "__matmul__", lambda self, other: self * 2.0):
        yield lambda x: x @ x
        tf.Tensor.__matmul__ = lambda self, other: self * 3.0
        yield
    assert tf.Tensor.__matmul__ is before


@change
def a_method_of_a_class_of_python():
    d = collections.UserDict(k=2.0)
    yield lambda x: x * d["k"]
    with patched(collections.UserDict, "__getitem__", lambda self, name: 3.0):
        yield


@change
def an_attribute_of_a_class_of_python():
    d = collections.UserDict()
    yield lambda x: x * getattr(d, "k", 2.0)
    with patched(collections.UserDict, "k", 3.0):
        yield


@change
def a_method_of_a_class_of_numpy():
    polynomial = np.polynomial.Polynomial([2.0])
    yield lambda x: x * polynomial(1.0)
    with patched(np.polynomial.Polynomial, "__call__", lambda self, x: 3.0):
        yield


@change
def a_class_that_says_that_it_is_of_keras():
    class Mine:
        __module__ = "keras.src.layers.layer"
        k = 2.0

    mine = Mine()
    yield lambda x: x * mine.k
    mine.k = 3.0
    yield


@change
def a_class_attribute_of_one_that_says_so():
    class Mine:
        __module__ = "keras.src.layers.layer"
        k = 2.0

    yield lambda x: x * Mine.k
    Mine.k = 3.0
    yield


@change
def a_class_that_says_that_it_is_of_numpy():
    class Mine:
        __module__ = "numpy"

        def scaled(self, x):
            return x * self.k

    mine = Mine()
    mine.k = 2.0
    yield lambda x: mine.scaled(x)
    mine.k = 3.0
    yield


@change
def a_class_that_wraps_one_of_tensorflow():
    class Mine:
        def __call__(self, x):
            return x * k

    k = 2.0
    functools.update_wrapper(Mine, tf.Module, updated=())
    mine = Mine()
    yield lambda x: mine(x)
    k = 3.0
    yield


@change
def a_function_that_wraps_one_of_tensorflow():
    k = 2.0

    @functools.wraps(tf.sin)
    def g(x):
        return x * k

    yield lambda x: g(x)
    k = 3.0
    yield


@change
def a_function_that_wraps_one_of_python():
    k = 2.0

    @functools.wraps(sorted)
    def g(x):
        return x * k

    yield lambda x: g(x)
    k = 3.0
    yield
