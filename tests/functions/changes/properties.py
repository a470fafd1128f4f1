"""Attributes that code computes: properties, descriptors, __getattr__ and its kin."""

import functools

from tests.functions.changes.table import Box, change


@change
def the_field_of_a_property():
    class C:
        _k = 2.0
        k = property(lambda self: self._k)

    c = C()
    yield lambda x: x * c.k
    c._k = 3.0
    yield


@change
def a_property_that_is_set():
    class C:
        @property
        def k(self):
            return self._k

        @k.setter
        def k(self, value):
            self._k = 2 * value

    c = C()
    c.k = 1.0
    yield lambda x: x * c.k
    c.k = 3.0
    yield


@change
def a_property_set_inside():
    class C:
        factor = 2.0

        @property
        def k(self):
            return self._k

        @k.setter
        def k(self, value):
            self._k = self.factor * value

    def f(x):
        c = C()
        c.k = 1.0
        return x * c.k

    yield f
    C.factor = 3.0
    yield


@change
def a_property_that_is_replaced():
    class C:
        k = property(lambda self: 2.0)

    c = C()
    yield lambda x: x * c.k
    C.k = property(lambda self: 3.0)
    yield


@change
def a_property_that_becomes_a_number():
    class C:
        k = property(lambda self: 2.0)

    c = C()
    yield lambda x: x * c.k
    C.k = 3.0
    yield


@change
def a_property_that_reads_a_closure():
    k = 2.0

    class C:
        k = property(lambda self: k)

    c = C()
    yield lambda x: x * c.k
    k = 3.0
    yield


@change
def a_property_that_reads_another_object():
    box = Box(k=2.0)

    class C:
        @property
        def k(self):
            return self.other.k

    c = C()
    c.other = box
    yield lambda x: x * c.k
    box.k = 3.0
    yield


@change
def a_property_of_a_base():
    class A:
        @property
        def k(self):
            return self._k + 1.0

    class B(A):
        @property
        def k(self):
            return super().k * 2.0

    b = B()
    b._k = 2.0
    yield lambda x: x * b.k
    b._k = 3.0
    yield


@change
def a_property_that_counts():
    class C:
        n = 0

        @property
        def k(self):
            self.n += 1
            return self.n

    c = C()
    yield lambda x: x * c.k
    c.n = 40
    yield


@change
def a_property_over_a_private_name():
    class C:
        def __init__(self):
            self.__k = 2.0

        @property
        def k(self):
            return self.__k

    c = C()
    yield lambda x: x * c.k
    c._C__k = 3.0
    yield


@change
def a_property_over_a_slot():
    class C:
        __slots__ = ("_k",)
        k = property(lambda self: self._k)

    c = C()
    c._k = 2.0
    yield lambda x: x * c.k
    c._k = 3.0
    yield


@change
def a_cached_property():
    class C:
        n = 2.0

        @functools.cached_property
        def k(self):
            return self.n

    c = C()
    yield lambda x: x * c.k
    c.n = 3.0
    del c.k
    yield


@change
def a_cached_property_that_is_overwritten():
    class C:
        @functools.cached_property
        def k(self):
            return 2.0

    c = C()
    yield lambda x: x * c.k
    c.k = 3.0
    yield


@change
def a_descriptor():
    class Field:
        def __get__(self, owner, kind):
            return self.value

    class C:
        k = Field()

    c = C()
    vars(C)["k"].value = 2.0
    yield lambda x: x * c.k
    vars(C)["k"].value = 3.0
    yield


@change
def a_descriptor_that_looks_at_its_owner():
    class Field:
        def __set_name__(self, owner, name):
            self.name = f"_{name}"

        def __get__(self, owner, kind):
            return getattr(owner, self.name)

        def __set__(self, owner, value):
            setattr(owner, self.name, value)

    class C:
        k = Field()

    c = C()
    c.k = 2.0
    yield lambda x: x * c.k
    c.k = 3.0
    yield


@change
def a_descriptor_with_a_table_of_owners():
    class Field:
        values = {}  # noqa: RUF012

        def __get__(self, owner, kind):
            return self.values[id(owner)]

    class C:
        k = Field()

    c = C()
    Field.values[id(c)] = 2.0
    yield lambda x: x * c.k
    Field.values[id(c)] = 3.0
    yield


@change
def get_of_a_descriptor():
    class Field:
        def __get__(self, owner, kind):
            return 2.0

    class C:
        k = Field()

    c = C()
    yield lambda x: x * c.k
    Field.__get__ = lambda self, owner, kind: 3.0
    yield


@change
def a_class_that_becomes_a_descriptor():
    class Field:
        value = 2.0

    class C:
        k = Field()

    c = C()
    yield lambda x: x * c.k.value
    Field.__get__ = lambda self, owner, kind: Box(value=3.0)
    yield


@change
def a_descriptor_that_begins_to_go_before():
    class Field:
        def __get__(self, owner, kind):
            return 3.0

    class C:
        k = Field()

    c = C()
    vars(c)["k"] = 2.0
    yield lambda x: x * c.k
    Field.__set__ = lambda self, owner, value: None
    yield


@change
def a_method_as_descriptor():
    class Bound:
        def __init__(self, function):
            self.function, self.by = function, 2.0

        def __get__(self, owner, kind):
            return functools.partial(self.function, owner, self.by)

    class C:
        @Bound
        def f(self, by, x):
            return x * by

    c = C()
    yield lambda x: c.f(x)
    vars(C)["f"].by = 3.0
    yield
