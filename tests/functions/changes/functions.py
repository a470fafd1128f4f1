"""Functions as objects: their code, their attributes, and what decorators make of them."""

import functools

from tests.functions.changes.table import change, doubled, tripled


@change
def its_code():
    def f(x):
        return x * 2.0

    yield f
    f.__code__ = tripled.__code__
    yield


@change
def the_code_of_a_helper():
    def g(x):
        return x * 2.0

    yield lambda x: g(x)
    g.__code__ = tripled.__code__
    yield


@change
def an_attribute():
    def f(x):
        return x * f.k

    f.k = 2.0
    yield f
    f.k = 3.0
    yield


@change
def an_attribute_that_it_counts_in():
    def f(x):
        f.calls += 1
        return x * f.calls

    f.calls = 0
    yield f
    f.calls = 40
    yield


@change
def an_attribute_through_its_dictionary():
    def g(x):
        return x * g.__dict__["k"]

    g.k = 2.0
    yield lambda x: g(x)
    g.__dict__["k"] = 3.0
    yield


@change
def its_name():
    def g(x):
        return x * len(g.__name__)

    yield lambda x: g(x)
    g.__name__ = "another"
    yield


@change
def its_qualified_name():
    def g(x):
        return x * len(g.__qualname__)

    yield lambda x: g(x)
    g.__qualname__ = "g"
    yield


@change
def its_docstring():
    def g(x):
        """Two"""
        return x * len(g.__doc__)

    yield lambda x: g(x)
    g.__doc__ = "Three"
    yield


@change
def its_annotations():
    def g(x: 2.0):
        return x * g.__annotations__["x"]

    yield lambda x: g(x)
    g.__annotations__["x"] = 3.0
    yield


@change
def its_module():
    def g(x):
        return x * len(g.__module__)

    yield lambda x: g(x)
    g.__module__ = "m"
    yield


@change
def a_decorator_with_wraps():
    k = 2.0

    def scaled(g):
        @functools.wraps(g)
        def inner(x):
            return k * g(x)

        return inner

    yield scaled(lambda x: x + 1.0)
    k = 3.0
    yield


@change
def what_wraps_keeps():
    @functools.wraps(doubled)
    def g(x):
        return g.__wrapped__(x)

    yield lambda x: g(x)
    g.__wrapped__ = tripled
    yield


@change
def a_decorator_that_counts():
    def counted(g):
        def inner(x):
            inner.calls += 1
            return g(x) * inner.calls

        inner.calls = 0
        return inner

    g = counted(doubled)
    yield lambda x: g(x)
    g.calls = 10
    yield


@change
def a_decorator_with_a_memory():
    memory = {}

    def remembered(g):
        def inner(x, k):
            if k not in memory:
                memory[k] = float(k) ** 2
            return g(x) * memory[k]

        return inner

    g = remembered(doubled)
    yield lambda x: g(x, 3)
    memory[3] = 5.0
    yield


@change
def a_class_as_decorator():
    class Scaled:
        def __init__(self, function):
            self.function, self.k = function, 2.0

        def __call__(self, x):
            return self.k * self.function(x)

    g = Scaled(doubled)
    yield lambda x: g(x)
    g.k = 3.0
    yield


@change
def a_callable_object():
    class Called:
        def __call__(self, x):
            return x * self.k

    g = Called()
    g.k = 2.0
    yield g
    g.k = 3.0
    yield


@change
def call_of_a_class():
    class Called:
        def __call__(self, x):
            return x * 2.0

    yield Called()
    Called.__call__ = lambda self, x: x * 3.0
    yield


@change
def a_list_of_functions():
    steps = [doubled, tripled]

    def f(x):
        for step in steps:
            x = step(x)
        return x

    yield f
    steps.append(tripled)
    yield


@change
def a_dictionary_of_functions():
    table = {"step": doubled}
    yield lambda x: table["step"](x)
    table["step"] = tripled
    yield


@change
def functions_that_register():
    hooks = []
    yield lambda x: sum((hook(x) for hook in hooks), x)
    hooks.append(tripled)
    yield
