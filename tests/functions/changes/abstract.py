"""Abstract base classes, and how classes are asked for their kind."""

import abc
import numbers

from tests.functions.changes.table import change


@change
def a_virtual_subclass():
    class Scale(abc.ABC): ...

    class Mine: ...

    mine = Mine()
    yield lambda x: x * (3.0 if isinstance(mine, Scale) else 2.0)
    Scale.register(Mine)
    yield


@change
def a_virtual_subclass_asked_by_issubclass():
    class Scale(abc.ABC): ...

    class Mine: ...

    yield lambda x: x * (3.0 if issubclass(Mine, Scale) else 2.0)
    Scale.register(Mine)
    yield


@change
def a_virtual_subclass_of_a_number():
    class Mine: ...

    mine = Mine()
    yield lambda x: x * (3.0 if isinstance(mine, numbers.Number) else 2.0)
    numbers.Number.register(Mine)
    yield


@change
def subclass_hook():
    names = ["a"]

    class Scale(abc.ABC):
        @classmethod
        def __subclasshook__(cls, other):
            return other.__name__ in names

    class Mine: ...

    yield lambda x: x * (3.0 if issubclass(Mine, Scale) else 2.0)
    names.append("Mine")
    Scale.register(int)  # forgets what was asked before
    yield


@change
def instance_check():
    known = []

    class Meta(type):
        def __instancecheck__(cls, other):
            return other in known

    class Scale(metaclass=Meta): ...

    yield lambda x: x * (3.0 if isinstance(5, Scale) else 2.0)
    known.append(5)
    yield


@change
def a_protocol_that_is_fulfilled_later():
    class Sized:
        def __len__(self):
            return 3

    class Mine: ...

    mine = Mine()
    yield lambda x: x * (3.0 if hasattr(mine, "__len__") else 2.0)
    Mine.__len__ = Sized.__len__
    yield


@change
def match_args():
    class Point:
        __match_args__ = ("a", "b")
        a, b = 2.0, 3.0

    def f(x):
        match Point():
            case Point(first):
                return x * first

    yield f
    Point.__match_args__ = ("b", "a")
    yield
