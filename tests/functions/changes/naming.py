"""Names and texts of classes, and methods without an object."""

from tests.functions.changes.table import change


@change
def its_name():
    class C: ...

    yield lambda x: x * len(C.__name__)
    C.__name__ = "Another"
    yield


@change
def its_name_seen_on_an_object():
    class C: ...

    c = C()
    yield lambda x: x * len(type(c).__name__)
    C.__name__ = "Another"
    yield


@change
def its_docstring():
    class C:
        """Two"""

    yield lambda x: x * len(C.__doc__)
    C.__doc__ = "Three"
    yield


@change
def its_annotations():
    class C:
        k: float

    yield lambda x: x * len(C.__annotations__)
    C.__annotations__["j"] = int
    yield


@change
def its_module():
    class C: ...

    yield lambda x: x * len(C.__module__)
    C.__module__ = "m"
    yield


@change
def its_subclasses():
    class C: ...

    yield lambda x: x * len(C.__subclasses__())
    kept = type("D", (C,), {})
    yield
    assert kept


@change
def its_registered_subclasses():
    registry = []

    class C:
        def __init_subclass__(cls):
            registry.append(cls)

    yield lambda x: x * len(registry)
    type("D", (C,), {})
    yield


@change
def a_static_method():
    class C:
        @staticmethod
        def k():
            return 2.0

    c = C()
    yield lambda x: x * c.k()
    C.k = staticmethod(lambda: 3.0)
    yield


@change
def what_a_static_method_refers_to():
    k = 2.0

    class C:
        @staticmethod
        def f(x):
            return x * k

    yield lambda x: C.f(x)
    k = 3.0
    yield


@change
def a_class_method():
    class C:
        j = 2.0

        @classmethod
        def k(cls):
            return cls.j

    yield lambda x: x * C.k()
    C.j = 3.0
    yield
