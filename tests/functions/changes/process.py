"""Replacements in modules of others, and settings of the process."""

import contextlib
import math
import os
import sys

import numpy as np

from tests.functions.changes.table import change


@contextlib.contextmanager
def restored(owner, name):
    """Set an attribute back in the end."""
    before = getattr(owner, name)
    try:
        yield
    finally:
        setattr(owner, name, before)


@change
def a_function_of_python_that_is_replaced():
    with restored(math, "sqrt"):
        yield lambda x: x * math.sqrt(4.0)
        math.sqrt = lambda k: 3.0
        yield


@change
def a_number_of_python_that_is_replaced():
    with restored(math, "pi"):
        yield lambda x: x * math.pi
        math.pi = 3.0
        yield


@change
def a_python_function_of_python_that_is_replaced():
    with restored(os.path, "basename"):
        yield lambda x: x * len(os.path.basename("a/bc"))
        os.path.basename = lambda path: "abc"
        yield


@change
def a_function_of_numpy_that_is_replaced():
    with restored(np, "sqrt"):
        yield lambda x: x * float(np.sqrt(4.0))
        np.sqrt = lambda k: 3.0
        yield


@change
def a_variable_of_the_system():
    os.environ["CINTA_TEST"] = "2"
    try:
        yield lambda x: x * float(os.environ["CINTA_TEST"])
        os.environ["CINTA_TEST"] = "3"
        yield
    finally:
        del os.environ["CINTA_TEST"]


@change
def a_variable_of_the_system_by_getenv():
    yield lambda x: x * float(os.getenv("CINTA_TEST", "2"))
    os.environ["CINTA_TEST"] = "3"
    try:
        yield
    finally:
        del os.environ["CINTA_TEST"]


@change
def a_variable_of_the_system_by_a_bound_get():
    get = os.environ.get
    yield lambda x: x * float(get("CINTA_TEST", "2"))
    os.environ["CINTA_TEST"] = "3"
    try:
        yield
    finally:
        del os.environ["CINTA_TEST"]


@change
def the_folder_of_the_process():
    before = os.getcwd()
    try:
        os.chdir("/")
        yield lambda x: x * len(os.getcwd())
        os.chdir("/tmp")
        yield
    finally:
        os.chdir(before)


@change
def the_path_of_imports():
    yield lambda x: x * len(sys.path)
    sys.path.append("nowhere")
    try:
        yield
    finally:
        sys.path.remove("nowhere")


@change
def the_limit_of_recursion():
    before = sys.getrecursionlimit()
    yield lambda x: x * sys.getrecursionlimit()
    sys.setrecursionlimit(before + 1)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@change
def the_identity_of_something():
    thing, kept = object(), []
    first = id(thing)
    yield lambda x: x * (2.0 if id(thing) == first else 3.0)
    kept.append(thing)
    thing = object()
    yield
