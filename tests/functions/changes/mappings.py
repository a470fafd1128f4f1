"""Dictionaries of all kinds."""

import collections
import types

from tests.functions.changes.table import Box, change


@change
def an_item():
    d = {"k": 2.0}
    yield lambda x: x * d["k"]
    d["k"] = 3.0
    yield


@change
def an_item_that_comes():
    d = {}
    yield lambda x: x * d.get("k", 2.0)
    d["k"] = 3.0
    yield


@change
def an_item_that_goes():
    d = {"k": 2.0}
    yield lambda x: x * d.get("k", 5.0)
    del d["k"]
    yield


@change
def an_item_that_is_missing():
    d = {"k": 2.0}
    yield lambda x: x * d["k"]
    del d["k"]
    yield


@change
def an_item_by_a_name_that_changes():
    d, name = {"a": 2.0, "b": 3.0}, "a"
    yield lambda x: x * d[name]
    name = "b"
    yield


@change
def an_item_of_an_item():
    d = {"a": {"b": [2.0]}}
    yield lambda x: x * d["a"]["b"][0]
    d["a"]["b"][0] = 3.0
    yield


@change
def an_object():
    d = {"box": Box(k=2.0)}
    yield lambda x: x * d["box"].k
    d["box"].k = 3.0
    yield


@change
def an_object_as_key():
    box = Box(k=2.0)
    d = {box: 1}
    yield lambda x: x * sum(b.k for b in d)
    box.k = 3.0
    yield


@change
def whether_there_is_an_item():
    d = {}
    yield lambda x: x * (3.0 if "k" in d else 2.0)
    d["k"] = None
    yield


@change
def how_many_items_there_are():
    d = {"a": 1}
    yield lambda x: x * len(d)
    d["b"] = 1
    yield


@change
def the_order_of_items():
    d = {"a": 2.0, "b": 3.0}
    yield lambda x: x * next(iter(d.values()))
    d["a"] = d.pop("a")
    yield


@change
def the_first_key():
    d = {"a": 2.0, "b": 3.0}
    yield lambda x: x * d[min(d)]
    del d["a"]
    yield


@change
def the_type_of_a_key():
    d = {1: 2.0}
    yield lambda x: x * (2.0 if type(next(iter(d))) is int else 3.0)
    d.clear()
    d[1.0] = 2.0
    yield


@change
def items_that_are_passed_by_name():
    d = {"k": 2.0}

    def g(x, k=5.0, j=1.0):
        return x * k * j

    yield lambda x: g(x, **d)
    d["j"] = 3.0
    yield


@change
def items_that_are_matched():
    d = {"mode": "slow", "k": 2.0}

    def f(x):
        match d:
            case {"mode": "slow", "k": k}:
                return x * k
            case _:
                return x * 3.0

    yield f
    d["mode"] = "fast"
    yield


@change
def items_that_are_merged():
    d, e = {"k": 2.0}, {}
    yield lambda x: x * (d | e)["k"]
    e["k"] = 3.0
    yield


@change
def a_view_of_values():
    d = {"k": 2.0}
    values = d.values()
    yield lambda x: x * sum(values)
    d["k"] = 3.0
    yield


@change
def a_view_of_keys():
    d = {"k": 2.0}
    keys = d.keys()
    yield lambda x: x * len(keys)
    d["j"] = 3.0
    yield


@change
def a_view_of_items():
    d = {"k": 2.0}
    items = d.items()
    yield lambda x: x * sum(value for _, value in items)
    d["k"] = 3.0
    yield


@change
def a_proxy():
    d = {"k": 2.0}
    proxy = types.MappingProxyType(d)
    yield lambda x: x * proxy["k"]
    d["k"] = 3.0
    yield


@change
def a_proxy_of_a_class():
    class C:
        k = 2.0

    proxy = vars(C)
    yield lambda x: x * proxy["k"]
    C.k = 3.0
    yield


@change
def a_bound_get():
    d = {"k": 2.0}
    get = d.get
    yield lambda x: x * get("k")
    d["k"] = 3.0
    yield


@change
def a_bound_getitem():
    d = {"k": 2.0}
    get = d.__getitem__
    yield lambda x: x * get("k")
    d["k"] = 3.0
    yield


@change
def a_bound_contains():
    d = {"k": 2.0}
    contains = d.__contains__
    yield lambda x: x * (3.0 if contains("j") else 2.0)
    d["j"] = 3.0
    yield


@change
def a_bound_items():
    d = {"k": 2.0}
    items = d.items
    yield lambda x: x * sum(value for _, value in items())
    d["k"] = 3.0
    yield


@change
def a_bound_setdefault():
    d = {}
    found = d.setdefault
    yield lambda x: x * found("k", 2.0)
    d["k"] = 3.0
    yield


@change
def a_bound_pop():
    d = {"k": 2.0}
    pop = d.pop

    def f(x):
        d["k"] = pop("k") + 1.0
        return x * d["k"]

    yield f
    d["k"] = 30.0
    yield


@change
def setdefault_inside():
    memory = {}
    yield lambda x: x * memory.setdefault("k", 2.0)
    memory["k"] = 3.0
    yield


@change
def a_memory_that_the_function_fills():
    memory = {}
    k = 2.0

    def f(x):
        if "k" not in memory:
            memory["k"] = k
        return x * memory["k"]

    yield f
    k = 3.0
    memory.clear()
    yield


@change
def a_bound_get_as_a_key():
    order = {"a": 1, "b": 2}
    yield lambda x: x * ord(min(order, key=order.get))
    order["a"] = 3
    yield


@change
def a_default_dictionary():
    d = collections.defaultdict(float, k=2.0)
    yield lambda x: x * d["k"]
    d["k"] = 3.0
    yield


@change
def a_default_dictionary_that_fills_itself():
    k = 2.0
    d = collections.defaultdict(lambda: k)
    yield lambda x: x * d["k"]
    k = 3.0
    d.clear()
    yield


@change
def the_factory_of_a_default_dictionary():
    d = collections.defaultdict(lambda: 2.0)

    def f(x):
        y = x * d["k"]
        d.clear()
        return y

    yield f
    d.default_factory = lambda: 3.0
    yield


@change
def another_factory_and_the_same_items():
    one, other = (collections.defaultdict(lambda k=k: k) for k in (2.0, 3.0))
    d = one
    yield lambda x: x * d.copy()["k"]
    d = other
    yield


@change
def the_name_of_a_factory():
    d = collections.defaultdict(int)
    yield lambda x: x * d.default_factory()
    d.default_factory = lambda: 3.0
    yield


@change
def an_ordered_dictionary():
    d = collections.OrderedDict(a=2.0, b=3.0)
    yield lambda x: x * next(iter(d.values()))
    d.move_to_end("a")
    yield


@change
def a_counter():
    d = collections.Counter("aab")
    yield lambda x: x * d.most_common(1)[0][1]
    d["b"] += 5
    yield


@change
def what_a_counter_has_not():
    d = collections.Counter("aab")
    yield lambda x: x * d["c"]
    d["c"] += 5
    yield


@change
def a_chain():
    first, second = {}, {"k": 2.0}
    d = collections.ChainMap(first, second)
    yield lambda x: x * d["k"]
    first["k"] = 3.0
    yield


@change
def the_maps_of_a_chain():
    d = collections.ChainMap({"k": 2.0})
    yield lambda x: x * d["k"]
    d.maps.insert(0, {"k": 3.0})
    yield


@change
def a_user_dictionary():
    d = collections.UserDict(k=2.0)
    yield lambda x: x * d["k"]
    d["k"] = 3.0
    yield


@change
def the_data_of_a_user_dictionary():
    d = collections.UserDict(k=2.0)
    yield lambda x: x * d["k"]
    d.data = {"k": 3.0}
    yield
