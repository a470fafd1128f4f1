"""Classes: their attributes and methods, those they inherit, and metaclasses."""

from tests.functions.changes.table import change


@change
def an_attribute():
    class C:
        k = 2.0

    yield lambda x: x * C.k
    C.k = 3.0
    yield


@change
def an_attribute_seen_on_an_object():
    class C:
        k = 2.0

    c = C()
    yield lambda x: x * c.k
    C.k = 3.0
    yield


@change
def an_attribute_that_comes_between():
    class A:
        k = 2.0

    class B(A): ...

    b = B()
    yield lambda x: x * b.k
    B.k = 3.0
    yield


@change
def an_attribute_that_goes_and_uncovers_another():
    class A:
        k = 2.0

    class B(A):
        k = 3.0

    b = B()
    yield lambda x: x * b.k
    del B.k
    yield


@change
def an_attribute_that_was_not_there():
    class C: ...

    def f(x):
        try:
            return x * C.k
        except AttributeError:
            return x * 5.0

    yield f
    C.k = 3.0
    yield


@change
def a_mutable_attribute():
    class C:
        ks = [2.0]  # noqa: RUF012

    yield lambda x: x * C.ks[0]
    C.ks[0] = 3.0
    yield


@change
def an_attribute_that_methods_count_in():
    class C:
        made = 0

        def __init__(self):
            C.made += 1

    yield lambda x: x * (C(), C.made)[1]
    C()
    yield


@change
def a_method():
    class C:
        def k(self):
            return 2.0

    c = C()
    yield lambda x: x * c.k()
    C.k = lambda self: 3.0
    yield


@change
def the_code_of_a_method():
    class C:
        def k(self):
            return 2.0

    c = C()
    yield lambda x: x * c.k()
    C.k.__code__ = (lambda self: 3.0).__code__
    yield


@change
def a_method_on_the_object():
    class C:
        def k(self):
            return 2.0

    c = C()
    yield lambda x: x * c.k()
    c.k = lambda: 3.0
    yield
