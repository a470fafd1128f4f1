"""Every kind of change in every kind of holder."""

import collections
import contextvars
import dataclasses
import enum
import functools
import threading
import types

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, doubled, module, tripled

GRID = {}
"""Programs by the holder and the kind of value."""


class Slotted:
    __slots__ = ("k",)


class Private:
    """An object whose property gives what a private field holds."""

    k = property(lambda self: self._k)


class Static:
    """A class that rows derive from, to hold a value in its subclass."""


@dataclasses.dataclass
class Config:
    k: object


class Nested:
    """An object that gets its value from another."""

    def __init__(self, k):
        self.inner = Box(k=k)

    def value(self):
        return self.inner.k


Frozen = collections.namedtuple("Frozen", "k")


def _set(name):
    return lambda holder, value: setattr(holder, name, value)


def _set_item(key):
    return lambda holder, value: holder.__setitem__(key, value)


def _with_k(make):
    def made(value):
        holder = make()
        holder.k = value
        return holder

    return made


def _in_contexts(value):
    holder = contextvars.ContextVar("k")
    holder.set(value)
    return holder


def _in_cell(value):
    return (lambda: value).__closure__[0]


def _as_default(value):
    def f(k=value):
        return k

    return f


def _as_default_by_name(value):
    def f(*, k=value):
        return k

    return f


def _in_objects(value):
    holder = np.empty(1, object)
    holder[0] = value
    return holder


HOLDERS = {
    "an attribute": (lambda v: Box(k=v), lambda h: h.k, _set("k")),
    "an attribute of an attribute": (Nested, Nested.value, lambda h, v: _set("k")(h.inner, v)),
    "a class": (lambda v: type("C", (Static,), {"k": v}), lambda h: h.k, _set("k")),
    "a slot": (_with_k(Slotted), lambda h: h.k, _set("k")),
    "a property": (lambda v: _with_private(v), lambda h: h.k, _set("_k")),
    "a dataclass": (Config, lambda h: h.k, _set("k")),
    "a namespace": (lambda v: types.SimpleNamespace(k=v), lambda h: h.k, _set("k")),
    "a module": (lambda v: _with_k(lambda: module(""))(v), lambda h: h.k, _set("k")),
    "a tf.Module": (_with_k(tf.Module), lambda h: h.k, _set("k")),
    "a thread": (_with_k(threading.local), lambda h: h.k, _set("k")),
    "a function": (
        _with_k(lambda: types.FunctionType(doubled.__code__, {})),
        lambda h: h.k,
        _set("k"),
    ),
    "a list": (lambda v: [v], lambda h: h[0], _set_item(0)),
    "a dictionary": (lambda v: {"k": v}, lambda h: h["k"], _set_item("k")),
    "an ordered dictionary": (
        lambda v: collections.OrderedDict(k=v),
        lambda h: h["k"],
        _set_item("k"),
    ),
    "a queue": (lambda v: collections.deque([v]), lambda h: h[0], _set_item(0)),
    "an array of objects": (_in_objects, lambda h: h[0], _set_item(0)),
    "a variable of contexts": (_in_contexts, lambda h: h.get(), lambda h, v: h.set(v)),
    "a cell": (_in_cell, lambda h: h.cell_contents, _set("cell_contents")),
    "a default": (_as_default, lambda h: h(), lambda h, v: _set("__defaults__")(h, (v,))),
    "a default by name": (
        _as_default_by_name,
        lambda h: h(),
        lambda h, v: _set("__kwdefaults__")(h, {"k": v}),
    ),
    "a partial by name": (
        lambda v: functools.partial(lambda k: k, k=v),
        lambda h: h(),
        lambda h, v: h.keywords.update(k=v),
    ),
    "a tuple in a list": (
        lambda v: [(0, v)],
        lambda h: h[0][1],
        lambda h, v: _set_item(0)(h, (0, v)),
    ),
    "a named tuple in a list": (
        lambda v: [Frozen(v)],
        lambda h: h[0].k,
        lambda h, v: _set_item(0)(h, Frozen(v)),
    ),
}
"""How each is made with a value, how a function gets at the value, and how it is replaced."""


def _with_private(value):
    holder = Private()
    holder._k = value
    return holder


class Scale:
    def __init__(self, k):
        self.k = k

    def scaled(self, x):
        return x * self.k


Mode = enum.Enum("Mode", "SLOW FAST")

REPLACED = {
    "a number": (lambda: 2.0, lambda: 3.0, lambda x, k: x * k),
    "a number and a truth": (lambda: 1, lambda: True, lambda x, k: x * (2 if k is True else 3)),
    "a zero": (lambda: 0.0, lambda: -0.0, lambda x, k: x / k),
    "a text": (lambda: "relu", lambda: "sigmoid", lambda x, k: getattr(tf.nn, k)(x)),
    "nothing": (lambda: None, lambda: 3.0, lambda x, k: x if k is None else x * k),
    "a mode": (lambda: Mode.SLOW, lambda: Mode.FAST, lambda x, k: x * k.value),
    "a tuple": (lambda: (2.0, 1.0), lambda: (3.0, 1.0), lambda x, k: x * sum(k)),
    "a dtype": (lambda: tf.float32, lambda: tf.float64, tf.cast),
    "a shape": (lambda: [2], lambda: [3], lambda x, k: x + tf.zeros(k)),
    "a function": (lambda: doubled, lambda: tripled, lambda x, k: k(x)),
    "a method": (lambda: Scale(2.0).scaled, lambda: Scale(3.0).scaled, lambda x, k: k(x)),
    "a class": (
        lambda: type("A", (), {"j": 2.0}),
        lambda: type("B", (), {"j": 3.0}),
        lambda x, k: x * k.j,
    ),
    "an op": (lambda: tf.sin, lambda: tf.cos, lambda x, k: k(x)),
    "a tensor": (lambda: tf.constant(2.0), lambda: tf.constant(3.0), lambda x, k: x * k),
    "a variable": (lambda: tf.Variable(2.0), lambda: tf.Variable(3.0), lambda x, k: x * k),
    "an array": (
        lambda: np.array([2.0, 1.0], np.float32),
        lambda: np.array([3.0, 1.0], np.float32),
        lambda x, k: x * k,
    ),
    "a number of numpy": (lambda: np.float32(2), lambda: np.float32(3), lambda x, k: x * k),
}
"""A value, its replacement, and a function that uses it."""


def _replacing(holder, value):
    def program():
        make, get, put = HOLDERS[holder]
        first, second, use = REPLACED[value]
        held = make(first())
        yield lambda x: use(x, get(held))
        put(held, second())
        yield

    return program


CHANGED = {
    "an object": (lambda: Box(j=2.0), lambda k: _set("j")(k, 3.0), lambda x, k: x * k.j),
    "an object in it": (
        lambda: Box(inner=Box(j=2.0)),
        lambda k: _set("j")(k.inner, 3.0),
        lambda x, k: x * k.inner.j,
    ),
    "the class of an object": (
        lambda: type("C", (), {"j": 2.0})(),
        lambda k: _set("j")(type(k), 3.0),
        lambda x, k: x * k.j,
    ),
    "the object of a method": (
        lambda: Scale(2.0).scaled,
        lambda k: _set("k")(k.__self__, 3.0),
        lambda x, k: k(x),
    ),
    "a list": (lambda: [2.0], lambda k: k.append(1.0), lambda x, k: x * sum(k)),
    "a dictionary": (lambda: {"j": 2.0}, lambda k: k.update(j=3.0), lambda x, k: x * k["j"]),
    "a set": (lambda: {2.0}, lambda k: k.add(3.0), lambda x, k: x * sum(k)),
    "an array": (lambda: np.ones(3, np.float32), lambda k: k.fill(2), lambda x, k: x * k),
    "an array that is looked at": (
        lambda: np.ones(3),
        lambda k: k.fill(2),
        lambda x, k: x * float(k[0]),
    ),
    "a variable": (lambda: tf.Variable(2.0), lambda k: k.assign(3.0), lambda x, k: x * k),
    "a class": (
        lambda: type("C", (), {"j": 2.0}),
        lambda k: _set("j")(k, 3.0),
        lambda x, k: x * k.j,
    ),
    "bytes": (lambda: bytearray([2]), lambda k: _set_item(0)(k, 3), lambda x, k: x * k[0]),
    "a partial": (
        lambda: functools.partial(lambda x, j: x * j, j=2.0),
        lambda k: k.keywords.update(j=3.0),
        lambda x, k: k(x),
    ),
    "a bound method of a dictionary": (
        lambda: {"j": 2.0}.get,
        lambda k: k.__self__.update(j=3.0),
        lambda x, k: x * k("j"),
    ),
}
"""Values that are changed in place."""


def _changing(holder, value):
    def program():
        make, get, _ = HOLDERS[holder]
        first, change, use = CHANGED[value]
        held = make(first())
        yield lambda x: use(x, get(held))
        change(get(held))
        yield

    return program


for _holder in HOLDERS:
    for _value in REPLACED:
        GRID[f"{_holder}: {_value} is replaced"] = _replacing(_holder, _value)
    for _value in CHANGED:
        GRID[f"{_holder}: {_value} is changed"] = _changing(_holder, _value)
