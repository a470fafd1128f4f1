"""Arguments of classes of a program that derive from containers, and what they hold beside."""

import collections
import functools
import types
import typing

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change

X = tf.constant(1.5)


@change
def an_attribute_of_the_class_of_a_dictionary():
    class Settings(dict):
        factor = 2.0

    yield (lambda x, s: x * s["k"] * s.factor), X, Settings(k=1.0)
    Settings.factor = 3.0
    yield


@change
def a_method_of_a_dictionary():
    class Settings(dict):
        def __getitem__(self, name):
            return factor

    factor = 2.0
    yield (lambda x, s: x * s["k"]), X, Settings(k=1.0)
    factor = 3.0
    yield


@change
def a_property_of_a_named_tuple():
    class Point(typing.NamedTuple):
        a: float

        @property
        def scaled(self):
            return self.a * factor

    factor = 2.0
    yield (lambda x, p: x * p.scaled), X, Point(1.0)
    factor = 3.0
    yield


@change
def an_item_of_a_user_dictionary():
    settings = collections.UserDict(k=2.0)
    yield (lambda x, s: x * s["k"]), X, settings
    settings["k"] = 3.0
    yield


@change
def a_proxy():
    d = {"k": 2.0}
    yield (lambda x, s: x * s["k"]), X, types.MappingProxyType(d)
    d["k"] = 3.0
    yield


@change
def the_room_of_a_queue():
    yield (lambda x, q: x * q.maxlen), X, collections.deque([1.0], maxlen=2)
    yield X, collections.deque([1.0], maxlen=3)


@change
def a_chain():
    first = {}
    chain = collections.ChainMap(first, {"k": 2.0})
    yield (lambda x, c: x * c["k"]), X, chain
    first["k"] = 3.0
    yield


@change
def a_counter():
    counter = collections.Counter("aab")
    yield (lambda x, c: x * c["a"]), X, counter
    counter["a"] += 1
    yield


@change
def a_text_of_its_own():
    class Text(str):
        factor = 2.0

    text = Text("a")
    yield (lambda x, t: x * t.factor), X, text
    text.factor = 3.0
    yield


@change
def a_float_of_its_own():
    class Rate(float):
        factor = 2.0

    rate = Rate(1.0)
    yield (lambda x, r: x * r.factor), X, rate
    rate.factor = 3.0
    yield


@change
def what_is_deep_in_an_argument():
    box = Box(k=2.0)
    yield (lambda x, d: x * d["a"][0][1].k), X, {"a": [(1.0, box)]}
    box.k = 3.0
    yield


@change
def a_variable_deep_in_an_argument():
    one, other = tf.Variable(2.0), tf.Variable(3.0)
    yield (lambda x, d: x * d["a"][0]), X, {"a": [one]}
    yield X, {"a": [other]}


@change
def an_array_of_objects():
    held = np.array([Box(k=2.0)], object)
    box = Box(held=held)
    yield (lambda x, b: x * b.held[0].k), X, box
    held[0].k = 3.0
    yield


@change
def a_number_of_numpy_in_a_tuple():
    yield (lambda x, ks: x / ks[0]), X, (np.float32(0.0),)
    yield X, (np.float32(-0.0),)


@change
def a_default_that_an_argument_replaces():
    def f(x, k=2.0):
        return x * k

    yield f, X
    yield X, 3.0


@change
def a_cached_function():
    calls = []

    @functools.lru_cache
    def g(n):
        calls.append(n)
        return float(len(calls))

    yield (lambda x, g: x * g(1)), X, g
    g.cache_clear()
    yield
