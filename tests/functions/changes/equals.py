"""Things that equal others and look like them, and hold something else."""

import collections
import dataclasses
import datetime
import functools
import types

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@dataclasses.dataclass(frozen=True)
class Named:
    """Equal to others of its name, which it shows alone."""

    name: str
    k: float = dataclasses.field(compare=False, repr=False, default=2.0)


@change
def one_in_a_set():
    held = {Named("a")}
    yield lambda x: x * sum(each.k for each in held)
    held.clear()
    held.add(Named("a", 3.0))
    yield


@change
def one_in_a_frozenset():
    held = frozenset([Named("a")])
    yield lambda x: x * sum(each.k for each in held)
    held = frozenset([Named("a", 3.0)])
    yield


@change
def one_as_a_key():
    held = {Named("a"): 1}
    yield lambda x: x * next(iter(held)).k
    held.clear()
    held[Named("a", 3.0)] = 1
    yield


@change
def one_in_a_list():
    held = [Named("a")]
    yield lambda x: x * held[0].k
    held[0] = Named("a", 3.0)
    yield


@change
def one_in_a_view():
    held = {"a": Named("a")}
    yield lambda x: x * [*held.values()][0].k  # noqa: RUF015
    held["a"] = Named("a", 3.0)
    yield


@change
def one_as_an_argument_in_a_dictionary():
    yield (lambda x, d: x * next(iter(d)).k), tf.constant(1.5), {Named("a"): 1.0}
    yield tf.constant(1.5), {Named("a", 3.0): 1.0}


@change
def one_as_a_default():
    def g(x, named=Named("a")):
        return x * named.k

    yield lambda x: g(x)
    g.__defaults__ = (Named("a", 3.0),)
    yield


@change
def a_text_of_another_class_as_a_key():
    class Text(str): ...

    d = {"k": 1}
    yield lambda x: x * (2.0 if type(next(iter(d))) is str else 3.0)
    d.clear()
    d[Text("k")] = 1
    yield


@change
def a_text_of_another_class_as_a_key_of_an_argument():
    def f(x, d):
        return x * (2.0 if type(next(iter(d))) is str else 3.0)

    yield f, tf.constant(1.5), {"k": 1.0}
    yield tf.constant(1.5), {np.str_("k"): 1.0}


@change
def a_number_of_another_class_in_a_set():
    held = {1}
    yield lambda x: x * (2.0 if type(next(iter(held))) is int else 3.0)
    held.clear()
    held.add(True)
    yield


@change
def a_slice_that_holds_a_list():
    part = slice([2.0], None)
    yield lambda x: x * part.start[0]
    part.start[0] = 3.0
    yield


@change
def a_slice_that_holds_an_object():
    part = slice(Box(k=2.0))
    yield lambda x: x * part.stop.k
    part.stop.k = 3.0
    yield


@change
def a_range_that_is_empty_as_another():
    turns = range(2, 2)
    yield lambda x: x * turns.start
    turns = range(3, 3)
    yield


@change
def a_date_whose_zone_is_of_a_program():
    shift = 2

    class Zone(datetime.tzinfo):
        def utcoffset(self, when):
            return datetime.timedelta(hours=shift)

    when = datetime.datetime(2020, 1, 1, tzinfo=Zone())
    yield lambda x: x * when.utcoffset().seconds
    shift = 3
    yield


@change
def the_class_in_an_alias():
    class C:
        k = 2.0

    alias = list[C]
    yield lambda x: x * alias.__args__[0].k
    C.k = 3.0
    yield


@change
def the_class_in_a_union():
    class C:
        k = 2.0

    union = C | int
    yield lambda x: x * union.__args__[0].k
    C.k = 3.0
    yield


@change
def a_proxy_of_a_dictionary_of_its_own():
    class Scaled(dict):
        factor = 2.0

        def __getitem__(self, name):
            return super().__getitem__(name) * self.factor

    proxy = types.MappingProxyType(Scaled(k=1.0))
    yield lambda x: x * proxy["k"]
    Scaled.factor = 3.0
    yield


@change
def a_proxy_of_a_mapping_of_its_own():
    class Mine(collections.UserDict):
        def __getitem__(self, name):
            return k

    k = 2.0
    proxy = types.MappingProxyType(Mine())
    yield lambda x: x * proxy["k"]
    k = 3.0
    yield


@change
def a_chain_of_dictionaries_of_its_own():
    class Scaled(dict):
        def __getitem__(self, name):
            return k

    k = 2.0
    chain = collections.ChainMap(Scaled(a=1.0))
    yield lambda x: x * chain["a"]
    k = 3.0
    yield


@change
def the_text_of_a_namespace():
    namespace = types.SimpleNamespace(k=2)
    yield lambda x: x * len(repr(namespace))
    namespace.k = 1000
    yield


@change
def whether_namespaces_are_equal():
    one, other = types.SimpleNamespace(k=2), types.SimpleNamespace(k=2)
    yield lambda x: x * (2.0 if one == other else 3.0)
    other.k = 3
    yield


@change
def the_text_of_a_partial_function():
    held = functools.partial(print, 2)
    yield lambda x: x * len(repr(held))
    held.__setstate__((print, (1000,), {}, {}))
    yield


@change
def the_text_of_a_list():
    class Mine:
        def __repr__(self):
            return text

    text, held = "a", [Mine()]
    yield lambda x: x * len(str(held))
    text = "abc"
    yield


@change
def the_text_of_an_error():
    error = ValueError("2.0")
    yield lambda x: x * float(str(error))
    error.args = ("3.0",)
    yield


@change
def an_attribute_of_an_error():
    error = ValueError("2.0")
    error.k = 2.0
    yield lambda x: x * error.k
    error.k = 3.0
    yield


@change
def an_attribute_of_a_class_of_errors():
    class Mine(ValueError):
        k = 2.0

    def f(x):
        try:
            raise Mine
        except ValueError as error:
            return x * error.k

    yield f
    Mine.k = 3.0
    yield


@change
def which_errors_are_caught():
    caught = (KeyError, ValueError)

    def f(x):
        try:
            {}["k"]
        except caught:
            return x * 2.0

    yield f
    caught = (ValueError,)
    yield
