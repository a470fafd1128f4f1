"""Inherited attributes: bases, mixins, other classes of an object."""

import types

from tests.functions.changes.table import change


@change
def a_method_of_a_base():
    class A:
        def k(self):
            return 2.0

    class B(A): ...

    b = B()
    yield lambda x: x * b.k()
    A.k = lambda self: 3.0
    yield


@change
def a_method_behind_super():
    class A:
        def k(self):
            return 2.0

    class B(A):
        def k(self):
            return super().k() + 1.0

    b = B()
    yield lambda x: x * b.k()
    A.k = lambda self: 3.0
    yield


@change
def a_method_behind_super_that_comes_between():
    class A:
        def k(self):
            return 2.0

    class B(A): ...

    class C(B):
        def k(self):
            return super().k() + 1.0

    c = C()
    yield lambda x: x * c.k()
    B.k = lambda self: 3.0
    yield


@change
def a_method_behind_two_argument_super():
    class A:
        def k(self):
            return 2.0

    class B(A):
        def k(self):
            return 5.0

    b = B()
    yield lambda x: x * super(B, b).k()
    A.k = lambda self: 3.0
    yield


@change
def an_attribute_behind_super():
    class A:
        k = 2.0

    class B(A):
        k = 5.0

        def f(self, x):
            return x * super().k

    yield B().f
    A.k = 3.0
    yield


@change
def a_mixin():
    class Mixin:
        def k(self):
            return 2.0 * super().k()

    class A:
        def k(self):
            return 1.0

    class B(Mixin, A): ...

    b = B()
    yield lambda x: x * b.k()
    A.k = lambda self: 3.0
    yield


@change
def its_bases():
    class A:
        k = 2.0

    class B:
        k = 3.0

    class C(A): ...

    c = C()
    yield lambda x: x * c.k
    C.__bases__ = (B,)
    yield


@change
def bases_of_a_base():
    class One:
        def k(self):
            return 2.0

    class Two:
        def k(self):
            return 3.0

    class A(One): ...

    class B(A): ...

    b = B()
    yield lambda x: x * b.k()
    A.__bases__ = (Two,)
    yield


@change
def isinstance_after_a_change_of_bases():
    class Slow: ...

    class Fast: ...

    class C(Slow): ...

    c = C()
    yield lambda x: x * (2.0 if isinstance(c, Slow) else 3.0)
    C.__bases__ = (Fast,)
    yield


@change
def the_class_of_an_object():
    class A:
        k = 2.0

    class B:
        k = 3.0

    a = A()
    yield lambda x: x * a.k
    a.__class__ = B
    yield


@change
def the_class_of_an_object_with_methods():
    class A:
        def k(self):
            return 2.0

    class B(A):
        def k(self):
            return super().k() + 1.0

    a = A()
    yield lambda x: x * a.k()
    a.__class__ = B
    yield


@change
def the_class_of_an_object_asked_by_isinstance():
    class A: ...

    class B: ...

    a = A()
    yield lambda x: x * (2.0 if isinstance(a, A) else 3.0)
    a.__class__ = B
    yield


@change
def the_class_of_an_object_asked_by_type():
    class A: ...

    class B: ...

    a = A()
    yield lambda x: x * (2.0 if type(a) is A else 3.0)
    a.__class__ = B
    yield


@change
def the_class_of_an_object_in_a_match():
    class A: ...

    class B: ...

    def f(x):
        match a:
            case A():
                return x * 2.0
            case B():
                return x * 3.0

    a = A()
    yield f
    a.__class__ = B
    yield


@change
def the_class_of_a_module():
    class Mine(types.ModuleType):
        k = 3.0

    settings = types.ModuleType("settings")
    settings.k = 2.0
    yield lambda x: x * settings.k
    settings.__class__ = Mine
    del settings.k
    yield
