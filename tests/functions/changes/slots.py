"""Slots of objects."""

from tests.functions.changes.table import change


@change
def a_slot():
    class C:
        __slots__ = ("k",)

    c = C()
    c.k = 2.0
    yield lambda x: x * c.k
    c.k = 3.0
    yield


@change
def a_slot_of_a_base():
    class A:
        __slots__ = ("k",)

    class B(A):
        __slots__ = ("j",)

    b = B()
    b.k = 2.0
    yield lambda x: x * b.k
    b.k = 3.0
    yield


@change
def a_slot_that_is_filled_late():
    class C:
        __slots__ = ("k",)

    c = C()
    yield lambda x: x * getattr(c, "k", 2.0)
    c.k = 3.0
    yield


@change
def a_slot_that_is_emptied():
    class C:
        __slots__ = ("k",)

    c = C()
    c.k = 3.0
    yield lambda x: x * getattr(c, "k", 2.0)
    del c.k
    yield


@change
def a_list_in_a_slot():
    class C:
        __slots__ = ("ks",)

    c = C()
    c.ks = [2.0]
    yield lambda x: x * sum(c.ks)
    c.ks.append(3.0)
    yield
