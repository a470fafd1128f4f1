"""Attributes that __getattr__ and its kin compute."""

from tests.functions.changes.table import Box, change


@change
def getattr_over_a_dictionary():
    class Settings:
        def __init__(self, **values):
            self._values = values

        def __getattr__(self, name):
            return self._values[name]

    settings = Settings(k=2.0)
    yield lambda x: x * settings.k
    settings._values["k"] = 3.0
    yield


@change
def getattr_that_is_replaced():
    class C:
        def __getattr__(self, name):
            return 2.0

    c = C()
    yield lambda x: x * c.k
    C.__getattr__ = lambda self, name: 3.0
    yield


@change
def getattr_that_comes_to_be():
    class C: ...

    def f(x):
        try:
            return x * c.k
        except AttributeError:
            return x * 5.0

    c = C()
    yield f
    C.__getattr__ = lambda self, name: 3.0
    yield


@change
def getattr_that_delegates():
    inner = Box(k=2.0)

    class Proxy:
        def __getattr__(self, name):
            return getattr(inner, name)

    proxy = Proxy()
    yield lambda x: x * proxy.k
    inner.k = 3.0
    yield


@change
def getattr_before_which_an_attribute_comes():
    class C:
        def __getattr__(self, name):
            return 2.0

    c = C()
    yield lambda x: x * c.k
    c.k = 3.0
    yield


@change
def getattribute_over_a_list():
    ks = [2.0]

    class C:
        def __getattribute__(self, name):
            return ks[0]

    c = C()
    yield lambda x: x * c.k
    ks[0] = 3.0
    yield


@change
def getattribute_that_is_replaced():
    class C:
        k = 2.0

    c = C()
    yield lambda x: x * c.k
    C.__getattribute__ = lambda self, name: 3.0
    yield


@change
def setattr_that_scales():
    factor = 2.0

    class C:
        def __setattr__(self, name, value):
            super().__setattr__(name, value * factor)

    def f(x):
        c = C()
        c.k = 1.0
        return x * c.k

    yield f
    factor = 3.0
    yield


@change
def dir_of_its_own():
    names = ["a"]

    class C:
        def __dir__(self):
            return names

    c = C()
    yield lambda x: x * len(dir(c))
    names.append("b")
    yield
