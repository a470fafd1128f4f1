"""Classes of a program that derive from containers, numbers and texts."""

import collections

from tests.functions.changes.table import change


@change
def get_of_a_dictionary():
    class Settings(dict):
        def get(self, name, default=None):
            return super().get(name, default) * self.factor

    d = Settings(k=1.0)
    d.factor = 2.0
    yield lambda x: x * d.get("k")
    d.factor = 3.0
    yield


@change
def getitem_of_a_dictionary():
    factor = 2.0

    class Settings(dict):
        def __getitem__(self, name):
            return super().__getitem__(name) * factor

    d = Settings(k=1.0)
    yield lambda x: x * d["k"]
    factor = 3.0
    yield


@change
def missing_of_a_dictionary():
    k = 2.0

    class Settings(dict):
        def __missing__(self, name):
            return k

    d = Settings()
    yield lambda x: x * d["k"]
    k = 3.0
    yield


@change
def missing_that_is_replaced():
    class Settings(dict):
        def __missing__(self, name):
            return 2.0

    d = Settings()
    yield lambda x: x * d["k"]
    Settings.__missing__ = lambda self, name: 3.0
    yield


@change
def missing_that_comes_to_be():
    class Settings(dict): ...

    def f(x):
        try:
            return x * d["k"]
        except KeyError:
            return x * 5.0

    d = Settings()
    yield f
    Settings.__missing__ = lambda self, name: 3.0
    yield


@change
def contains_of_a_dictionary():
    known = ["a"]

    class Settings(dict):
        def __contains__(self, name):
            return name in known

    d = Settings()
    yield lambda x: x * (3.0 if "b" in d else 2.0)
    known.append("b")
    yield


@change
def iteration_over_a_dictionary():
    names = ["a"]

    class Settings(dict):
        def __iter__(self):
            return iter(names)

    d = Settings(a=1, b=2)
    yield lambda x: x * sum(1 for _ in d)
    names.append("b")
    yield


@change
def attributes_of_a_dictionary():
    class Settings(dict):
        __getattr__ = dict.__getitem__

    d = Settings(k=2.0)
    yield lambda x: x * d.k
    d["k"] = 3.0
    yield


@change
def a_dictionary_that_is_its_own_attributes():
    class Settings(dict):
        def __init__(self, **items):
            super().__init__(**items)
            self.__dict__ = self

    d = Settings(k=2.0)
    yield lambda x: x * d.k
    d["k"] = 3.0
    yield


@change
def a_field_of_a_dictionary():
    class Settings(dict):
        k = 2.0

    d = Settings()
    yield lambda x: x * d.k
    d.k = 3.0
    yield


@change
def a_dictionary_that_counts():
    class Counting(dict):
        asked = 0

        def __getitem__(self, name):
            self.asked += 1
            return self.asked

    d = Counting()
    yield lambda x: x * d["k"]
    d.asked = 40
    yield


@change
def an_ordered_dictionary_of_its_own():
    class Recent(collections.OrderedDict):
        def __getitem__(self, name):
            self.move_to_end(name)
            return super().__getitem__(name)

    d = Recent(a=2.0, b=3.0)
    yield lambda x: x * d["a"] * (1.0 if next(iter(d)) == "b" else 5.0)
    d["c"] = 1.0
    d.move_to_end("c", last=False)
    yield


@change
def a_user_dictionary_of_its_own():
    class Settings(collections.UserDict):
        factor = 2.0

        def __getitem__(self, name):
            return self.data[name] * self.factor

    d = Settings(k=1.0)
    yield lambda x: x * d["k"]
    d.factor = 3.0
    yield


@change
def a_mapping_of_its_own():
    items = {"k": 2.0}

    class Settings(collections.abc.Mapping):
        def __getitem__(self, name):
            return items[name]

        def __iter__(self):
            return iter(items)

        def __len__(self):
            return len(items)

    d = Settings()
    yield lambda x: x * sum(d.values())
    items["j"] = 3.0
    yield


@change
def getitem_of_a_list():
    class Repeated(list):
        shift = 0

        def __getitem__(self, i):
            return super().__getitem__((i + self.shift) % len(self))

    ks = Repeated([2.0, 3.0])
    yield lambda x: x * ks[0]
    ks.shift = 1
    yield


@change
def iteration_over_a_list():
    class Scaled(list):
        factor = 2.0

        def __iter__(self):
            return (self.factor * x for x in super().__iter__())

    ks = Scaled([1.0])
    yield lambda x: x * sum(ks)
    Scaled.factor = 3.0
    yield


@change
def the_length_of_a_list():
    class Longer(list):
        more = 1

        def __len__(self):
            return super().__len__() + self.more

    ks = Longer([1.0])
    yield lambda x: x * len(ks)
    Longer.more = 2
    yield


@change
def a_method_of_a_list():
    class Numbers(list):
        def total(self):
            return sum(self) * self.factor

    ks = Numbers([1.0])
    ks.factor = 2.0
    yield lambda x: x * ks.total()
    ks.factor = 3.0
    yield


@change
def a_user_list_of_its_own():
    class Numbers(collections.UserList):
        def total(self):
            return sum(self.data)

    ks = Numbers([2.0])
    yield lambda x: x * ks.total()
    ks.append(1.0)
    yield


@change
def a_tuple_of_its_own():
    class Pair(tuple):
        factor = 2.0

        def __getitem__(self, i):
            return super().__getitem__(i) * self.factor

    pair = Pair((1.0,))
    yield lambda x: x * pair[0]
    Pair.factor = 3.0
    yield


@change
def a_set_of_its_own():
    class Known(set):
        def __contains__(self, name):
            return name in self.names

    known = Known()
    known.names = ["a"]
    yield lambda x: x * (3.0 if "b" in known else 2.0)
    known.names.append("b")
    yield


@change
def a_frozenset_with_a_field():
    class Frozen(frozenset):
        k = 2.0

    frozen = Frozen()
    yield lambda x: x * frozen.k
    frozen.k = 3.0
    yield


@change
def a_queue_of_its_own():
    class Window(collections.deque):
        factor = 2.0

        def __getitem__(self, i):
            return super().__getitem__(i) * self.factor

    window = Window([1.0])
    yield lambda x: x * window[0]
    Window.factor = 3.0
    yield
