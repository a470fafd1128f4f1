"""Attributes and methods that are asked for where no code of the program names them."""

import argparse
import configparser
import contextlib
import copy
import json
import logging
import math
import operator
import types

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


class Keyed:
    """A class that dict() takes for a mapping, as it has keys."""

    def __init__(self, **items):
        self.items_ = items

    def keys(self):
        return self.items_.keys()

    def __getitem__(self, name):
        return self.items_[name]


@change
def the_keys_of_what_becomes_a_dictionary():
    keyed = Keyed(a=2.0)
    yield lambda x: x * sum(dict(keyed).values())
    keyed.items_["b"] = 3.0
    yield


@change
def the_keys_of_what_is_passed_by_name():
    names = ["a"]

    class Mine:
        def keys(self):
            return names

        def __getitem__(self, name):
            return 2.0

    mine = Mine()
    yield lambda x: x * len(dict(**mine))
    names.append("b")
    yield


@change
def the_keys_of_what_is_merged():
    names = ["a"]

    class Mine:
        def keys(self):
            return names

        def __getitem__(self, name):
            return 2.0

    mine = Mine()
    yield lambda x: x * len({**mine})
    names.append("b")
    yield


@change
def a_method_that_numpy_calls_by_the_name_of_its_function():
    class Mine:
        def mean(self, *given, **named):
            return k

    k, mine = 2.0, Mine()
    yield lambda x: x * np.mean(mine)
    k = 3.0
    yield


@change
def a_method_that_numpy_calls_for_its_sum():
    class Mine:
        def sum(self, *given, **named):
            return k

    k, mine = 2.0, Mine()
    yield lambda x: x * np.sum(mine)
    k = 3.0
    yield


@change
def a_method_that_numpy_calls_in_an_array_of_objects():
    class Mine:
        def sqrt(self):
            return k

    k, held = 2.0, np.array([Mine()], object)
    yield lambda x: x * np.sqrt(held)[0]
    k = 3.0
    yield


@change
def a_method_that_closes():
    class Resource:
        def close(self):
            log.append(k)

    k, log, resource = 2.0, [], Resource()

    def f(x):
        with contextlib.closing(resource):
            pass
        return x * log.pop()

    yield f
    k = 3.0
    yield


@change
def a_method_that_copies():
    class Mine:
        def __copy__(self):
            return k

    k, mine = 2.0, Mine()
    yield lambda x: x * copy.copy(mine)
    k = 3.0
    yield


@change
def a_method_that_copies_and_comes_to_be():
    class Mine:
        k = 2.0

    mine = Mine()
    yield lambda x: x * copy.copy(mine).k
    Mine.__copy__ = lambda self: Box(k=3.0)
    yield


@change
def a_state_that_is_copied():
    class Mine:
        def __getstate__(self):
            return {"k": k}

    k, mine = 2.0, Mine()
    yield lambda x: x * copy.copy(mine).k
    k = 3.0
    yield


@change
def a_rounding_that_comes_to_be():
    class Mine:
        def __float__(self):
            return 2.5

    mine = Mine()
    yield lambda x: x * math.floor(mine)
    Mine.__floor__ = lambda self: 3
    yield


@change
def a_hint_of_length_that_comes_to_be():
    class Mine: ...

    mine = Mine()
    yield lambda x: x * operator.length_hint(mine, 2)
    Mine.__length_hint__ = lambda self: 3
    yield


@change
def an_array_that_comes_to_be():
    class Mine:
        def __len__(self):
            return 1

        def __getitem__(self, i):
            if i:
                raise IndexError
            return 2.0

    mine, ks = Mine(), np.array([3.0])
    yield lambda x: x * float(np.asarray(mine)[0])
    Mine.__array_interface__ = property(lambda self: ks.__array_interface__)
    yield


@change
def a_conversion_to_a_tensor_that_comes_to_be():
    class Mine:
        def __array__(self, dtype=None, copy=None):
            return np.array(2.0, np.float32)

    mine = Mine()
    yield lambda x: x * tf.convert_to_tensor(mine)
    Mine.__tf_tensor__ = lambda self, dtype=None, name=None: tf.constant(3.0)
    yield


@change
def a_path_that_comes_to_be():
    class Mine:
        def __str__(self):
            return "ab"

    def f(x):
        import os

        try:
            return x * len(os.fspath(mine))
        except TypeError:
            return x * 5.0

    mine = Mine()
    yield f
    Mine.__fspath__ = lambda self: "abc"
    yield


@change
def an_attribute_of_arguments_of_the_program():
    arguments = argparse.Namespace(k=2.0)
    yield lambda x: x * arguments.k
    arguments.k = 3.0
    yield


@change
def whether_an_argument_of_the_program_is_there():
    arguments = argparse.Namespace(k=2.0)
    yield lambda x: x * (3.0 if "j" in arguments else 2.0)
    arguments.j = 3.0
    yield


@change
def a_file_of_settings():
    settings = configparser.ConfigParser()
    settings.read_string("[model]\nk = 2.0")
    yield lambda x: x * settings.getfloat("model", "k")
    settings["model"]["k"] = "3.0"
    yield


@change
def what_becomes_of_an_object_in_a_text():
    box = Box(k=2.0)
    yield lambda x: x * float(json.dumps(box, default=lambda each: each.k))
    box.k = 3.0
    yield


@change
def an_encoder_of_its_own():
    class Encoder(json.JSONEncoder):
        def default(self, thing):
            return k

    k = 2.0
    yield lambda x: x * float(json.dumps(Box(), cls=Encoder))
    k = 3.0
    yield


@change
def a_getter_as_a_property():
    class C:
        k = property(operator.attrgetter("inner.j"))

    c = C()
    c.inner = Box(j=2.0)
    yield lambda x: x * c.k
    c.inner.j = 3.0
    yield


@change
def an_attribute_by_reduction():
    import functools

    box = Box(a=Box(b=Box(c=2.0)))
    yield lambda x: x * functools.reduce(getattr, ["a", "b", "c"], box)
    box.a.b.c = 3.0
    yield


@change
def an_attribute_by_a_mapped_name():
    box = Box(c=2.0)
    yield lambda x: x * sum(map(getattr, [box], ["".join("c")]))
    box.c = 3.0
    yield


@change
def an_attribute_by_the_method_of_its_class():
    box = Box(c=2.0)
    yield lambda x: x * type(box).__getattribute__(box, "".join("c"))
    box.c = 3.0
    yield


@change
def attributes_in_a_dictionary_of_its_own():
    class Attributes(dict): ...

    box = Box()
    box.__dict__ = Attributes(k=2.0)
    yield lambda x: x * box.k
    box.k = 3.0
    yield


@change
def a_logger_that_is_found_inside():
    name = "a_program.found_inside"
    yield lambda x: x * logging.getLogger(name).getEffectiveLevel()
    logging.getLogger(name).setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logging.getLogger(name).setLevel(logging.NOTSET)


@change
def whether_logging_is_off():
    logger = logging.getLogger("a_program")
    yield lambda x: x * (2.0 if logger.isEnabledFor(logging.ERROR) else 3.0)
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@change
def the_name_of_a_level():
    yield lambda x: x * len(logging.getLevelName(17))
    logging.addLevelName(17, "LOUDER THAN EVER")
    try:
        yield
    finally:
        logging._levelToName.pop(17)
        logging._nameToLevel.pop("LOUDER THAN EVER")


@change
def a_class_that_is_made_of_a_prepared_body():
    def body(names):
        names["k"] = k

    k = 2.0
    yield lambda x: x * types.new_class("C", (), {}, body).k
    k = 3.0
    yield
