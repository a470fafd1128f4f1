"""Weak references."""

import gc
import weakref

from tests.functions.changes.table import Box, change


@change
def a_weak_reference():
    box = Box(k=2.0)
    reference = weakref.ref(box)
    yield lambda x: x * reference().k
    box.k = 3.0
    yield


@change
def a_weak_reference_that_dies():
    box = Box()
    reference = weakref.ref(box)
    yield lambda x: x * (2.0 if reference() is not None else 3.0)
    del box
    gc.collect()
    yield


@change
def a_weak_proxy():
    box = Box(k=2.0)
    proxy = weakref.proxy(box)
    yield lambda x: x * proxy.k
    box.k = 3.0
    yield


@change
def a_weak_proxy_that_dies():
    box = Box(k=2.0)
    proxy = weakref.proxy(box)

    def f(x):
        try:
            return x * proxy.k
        except ReferenceError:
            return x * 5.0

    yield f
    del box
    gc.collect()
    yield


@change
def a_weak_reference_to_a_method():
    class C:
        def k(self):
            return self.j

    c = C()
    c.j = 2.0
    method = weakref.WeakMethod(c.k)
    yield lambda x: x * method()()
    c.j = 3.0
    yield


@change
def a_weak_dictionary():
    box = Box(k=2.0)
    held = weakref.WeakValueDictionary(box=box)
    yield lambda x: x * (held["box"].k if "box" in held else 3.0)
    del box
    gc.collect()
    yield


@change
def a_weak_set():
    box = Box()
    held = weakref.WeakSet([box])
    yield lambda x: x * (2.0 + len(held))
    del box
    gc.collect()
    yield


@change
def a_weak_table_of_keys():
    box = Box()
    held = weakref.WeakKeyDictionary({box: 2.0})
    yield lambda x: x * held[box]
    held[box] = 3.0
    yield
