"""Things that programs register, with Python or with this library."""

import collections.abc
import copy
import copyreg
import enum
import functools
import typing

import cinta as tf
from tests.functions.changes.table import change


class _Pair:
    """An object with two items, which is a sequence or a mapping once it is registered."""

    def __init__(self):
        self.items = {"a": 2.0, 0: 2.0, 1: 3.0}

    def get(self, key, default=None):
        return self.items.get(key, default)

    def __getitem__(self, key):
        return self.items[key]

    def __len__(self):
        return 2


def _new(*bases):
    return type("Mine", (_Pair, *bases), {})()


@change
def what_is_a_mapping():
    pair = _new()

    def matched(x):
        match pair:
            case {"a": a}:
                return x * a
        return x

    yield matched
    collections.abc.Mapping.register(type(pair))
    yield


@change
def what_is_a_sequence():
    pair = _new()

    def matched(x):
        match pair:
            case [a, b]:
                return x * a * b
        return x

    yield matched
    collections.abc.Sequence.register(type(pair))
    yield


def _converted_to(value):
    return lambda given, dtype=None, name=None, as_ref=False: tf.constant(value, dtype)


@change
def what_converts_an_object():
    pair = _new()
    tf.register_tensor_conversion_function(type(pair), _converted_to(2.0))
    yield lambda x: tf.multiply(x, pair)
    tf.register_tensor_conversion_function(type(pair), _converted_to(3.0), priority=10)
    yield


@change
def whether_an_object_is_converted():
    pair = type("Mine", (), {})()

    def tried(x):
        try:
            return tf.multiply(x, pair)
        except (TypeError, ValueError):
            return x

    yield tried
    tf.register_tensor_conversion_function(type(pair), _converted_to(3.0))
    yield


@change
def what_answers_for_a_function():
    class Scaled(tf.experimental.ExtensionType):
        value: tf.Tensor

    scaled = Scaled(tf.constant(2.0))

    def tried(x):
        try:
            return tf.square(scaled) * x
        except (TypeError, ValueError):
            return x

    yield tried

    @tf.experimental.dispatch_for_api(tf.square, {"x": Scaled})
    def square(x, name=None):
        return x.value * 5.0

    yield
    tf.experimental.unregister_dispatch_for(square)
    yield


def _given(value):
    return value


def _copying(copied):
    class Mine:
        k = 2.0

    mine, other = Mine(), Mine()
    other.k = 3.0
    yield lambda x: x * copied(mine).k
    copyreg.pickle(
        Mine, lambda each: (_given, (other,)) if each is mine else object.__reduce__(each)
    )
    try:
        yield
    finally:
        del copyreg.dispatch_table[Mine]


@change
def how_an_object_is_copied():
    return _copying(lambda each: copy.copy(each))


@change
def how_a_function_is_overloaded():
    def of_any(x):
        return x

    def add(module):
        of_any.__module__ = module
        typing.overload(of_any)

    add("one_overload")
    yield lambda x: x * len(typing.get_overloads(of_any))
    add("two_overloads")
    of_any.__module__ = "no_overloads"
    yield
    typing.clear_overloads()


@change
def a_table_in_an_enumeration():
    class Mode(enum.Enum):
        ONE = 1
        table = enum.nonmember({"k": 2.0}) if hasattr(enum, "nonmember") else {"k": 2.0}

    if not isinstance(Mode.table, dict):
        Mode.table = Mode.table.value
    yield lambda x: x * Mode.table["k"]
    Mode.table["k"] = 3.0
    yield


@change
def how_a_method_dispatches():
    class Mine:
        @functools.singledispatchmethod
        def k(self, each):
            return 2.0

    mine = Mine()
    yield lambda x: x * mine.k(1)
    Mine.k.register(int, lambda self, each: 3.0)
    yield
