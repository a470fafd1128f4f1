"""Defaults of arguments."""

import inspect

from tests.functions.changes.table import Box, change

rate = 2.0
helper = None
holder = Box(k=2.0)


@change
def a_default():
    def f(x, k=2.0):
        return x * k

    yield f
    f.__defaults__ = (3.0,)
    yield


@change
def a_default_of_a_helper():
    def g(x, k=2.0):
        return x * k

    yield lambda x: g(x)
    g.__defaults__ = (3.0,)
    yield


@change
def a_default_that_grows():
    def g(x, seen=[]):  # noqa: B006
        seen.append(1)
        return x * len(seen)

    yield lambda x: g(x)
    g.__defaults__[0].clear()
    yield


@change
def a_default_that_is_mutable():
    def g(x, ks=[2.0]):  # noqa: B006
        return x * ks[0]

    yield lambda x: g(x)
    g.__defaults__[0][0] = 3.0
    yield


@change
def a_default_by_name():
    def g(x, *, k=2.0):
        return x * k

    yield lambda x: g(x)
    g.__kwdefaults__ = {"k": 3.0}
    yield


@change
def a_default_by_name_in_place():
    def g(x, *, k=2.0):
        return x * k

    yield lambda x: g(x)
    g.__kwdefaults__["k"] = 3.0
    yield


@change
def a_default_that_is_gone():
    def g(x, k=2.0):
        return x * k

    yield lambda x: g(x)
    g.__defaults__ = None
    yield


@change
def what_a_signature_has_for_an_argument_left_out():
    scales = [2.0]
    signature = inspect.signature(lambda x, scales=scales: x)
    yield lambda x: x * signature.parameters["scales"].default[0]
    scales[0] = 3.0
    yield
