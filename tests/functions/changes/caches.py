"""Objects of functools and operator: partial functions, caches, dispatch, getters of items."""

import functools
import operator

from tests.functions.changes.table import Box, change, doubled, tripled


@change
def a_partial_of_an_object():
    box = Box(k=2.0)
    g = functools.partial(lambda box, x: x * box.k, box)
    yield lambda x: g(x)
    box.k = 3.0
    yield


@change
def a_partial_by_name():
    g = functools.partial(lambda x, k: x * k, k=2.0)
    yield lambda x: g(x)
    g.keywords["k"] = 3.0
    yield


@change
def a_partial_with_attributes():
    g = functools.partial(doubled)
    g.k = 2.0
    yield lambda x: g(x) * g.k
    g.k = 3.0
    yield


@change
def a_partial_of_a_function_whose_code_changes():
    def inner(x):
        return x * 2.0

    g = functools.partial(inner)
    yield lambda x: g(x)
    inner.__code__ = tripled.__code__
    yield


@change
def a_partial_that_is_set_anew():
    g = functools.partial(doubled)
    yield lambda x: g(x)
    g.__setstate__((tripled, (), {}, {}))
    yield


@change
def a_partial_of_a_subclass():
    class Mine(functools.partial):
        k = 2.0

        def __call__(self, x):
            return super().__call__(x) * self.k

    g = Mine(doubled)
    yield lambda x: g(x)
    Mine.k = 3.0
    yield


@change
def a_partial_method():
    class C:
        k = 2.0

        def scaled(self, x, by):
            return x * self.k * by

        twice = functools.partialmethod(scaled, by=2.0)

    c = C()
    yield lambda x: c.twice(x)
    C.twice = functools.partialmethod(C.scaled, by=3.0)
    yield


@change
def a_cache_that_is_cleared():
    k = 2.0

    @functools.lru_cache
    def g():
        return k

    yield lambda x: x * g()
    k = 3.0
    g.cache_clear()
    yield


@change
def a_cache_that_is_not_cleared():
    k = 2.0

    @functools.lru_cache
    def g(n):
        return k * n

    n = 1
    yield lambda x: x * g(n)
    k, n = 3.0, 2
    yield


@change
def a_cache_filled_elsewhere():
    k = 2.0

    @functools.cache
    def g():
        return k

    wanted = False
    yield lambda x: x * (g() if wanted else 1.0)
    g()
    k, wanted = 3.0, True
    yield


@change
def information_on_a_cache():
    @functools.lru_cache
    def g(n):
        return n

    yield lambda x: x * g.cache_info().misses
    g(1)
    yield


@change
def a_cached_method():
    class C:
        @functools.lru_cache  # noqa: B019
        def k(self):
            return self.j

    c = C()
    c.j = 2.0
    yield lambda x: x * c.k()
    c.j = 3.0
    C.k.cache_clear()
    yield


@change
def what_a_cached_function_wraps():
    k = 2.0

    @functools.lru_cache
    def g():
        return k

    yield lambda x: x * g.__wrapped__()
    k = 3.0
    yield


@change
def a_dispatch_that_is_registered():
    @functools.singledispatch
    def g(k):
        return 2.0

    yield lambda x: x * g(1)
    g.register(int, lambda k: 3.0)
    yield


@change
def a_dispatch_on_a_class_of_mine():
    class Mine: ...

    @functools.singledispatch
    def g(k):
        return 2.0

    mine = Mine()
    yield lambda x: x * g(mine)
    g.register(Mine, lambda k: 3.0)
    yield


@change
def a_key_in_an_itemgetter():
    class Key:
        place = 0

        def __index__(self):
            return self.place

    key, items = Key(), [2.0, 3.0]
    get = operator.itemgetter(key)
    yield lambda x: x * get(items)
    key.place = 1
    yield


@change
def an_operator_itemgetter():
    d = {"k": 2.0}
    get = operator.itemgetter("k")
    yield lambda x: x * get(d)
    d["k"] = 3.0
    yield


@change
def an_itemgetter_that_is_replaced():
    d = {"k": 2.0, "j": 3.0}
    b = Box(get=operator.itemgetter("k"))
    yield lambda x: x * b.get(d)
    b.get = operator.itemgetter("j")
    yield
