"""Dataclasses, named tuples, enumerations, and plain namespaces."""

import collections
import dataclasses
import typing

from tests.functions.changes.table import change


@change
def a_field_of_a_dataclass():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * settings.k
    settings.k = 3.0
    yield


@change
def a_default_of_a_dataclass():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    yield lambda x: x * Settings.k
    Settings.k = 3.0
    yield


@change
def a_default_factory_that_reads_a_closure():
    k = 2.0

    @dataclasses.dataclass
    class Settings:
        k: float = dataclasses.field(default_factory=lambda: k)

    yield lambda x: x * Settings().k
    k = 3.0
    yield


@change
def the_init_of_a_dataclass():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    yield lambda x: x * Settings().k
    Settings.__init__.__defaults__ = (3.0,)
    yield


@change
def post_init_of_a_dataclass():
    factor = 2.0

    @dataclasses.dataclass
    class Settings:
        k: float = 1.0

        def __post_init__(self):
            self.k *= factor

    yield lambda x: x * Settings().k
    factor = 3.0
    yield


@change
def a_nested_dataclass():
    @dataclasses.dataclass
    class Inner:
        ks: list

    @dataclasses.dataclass
    class Outer:
        inner: Inner

    outer = Outer(Inner([2.0]))
    yield lambda x: x * outer.inner.ks[0]
    outer.inner.ks[0] = 3.0
    yield


@change
def a_frozen_dataclass_that_is_replaced():
    @dataclasses.dataclass(frozen=True)
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * settings.k
    settings = dataclasses.replace(settings, k=3.0)
    yield


@change
def a_frozen_dataclass_that_is_changed_all_the_same():
    @dataclasses.dataclass(frozen=True)
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * settings.k
    object.__setattr__(settings, "k", 3.0)
    yield


@change
def a_dataclass_with_slots():
    @dataclasses.dataclass(slots=True)
    class Settings:
        k: float

    settings = Settings(2.0)
    yield lambda x: x * settings.k
    settings.k = 3.0
    yield


@change
def asdict_of_a_dataclass():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * dataclasses.asdict(settings)["k"]
    settings.k = 3.0
    yield


@change
def astuple_of_a_dataclass():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * dataclasses.astuple(settings)[0]
    settings.k = 3.0
    yield


@change
def fields_of_a_dataclass():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * sum(getattr(settings, f.name) for f in dataclasses.fields(settings))
    settings.k = 3.0
    yield


@change
def replace_inside():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0
        j: float = 1.0

    settings = Settings()
    yield lambda x: x * dataclasses.replace(settings, j=2.0).k
    settings.k = 3.0
    yield


@change
def whether_dataclasses_are_equal():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * (2.0 if settings == Settings() else 3.0)
    settings.k = 3.0
    yield


@change
def the_order_of_dataclasses():
    @dataclasses.dataclass(order=True)
    class Entry:
        rank: int
        k: float

    entries = [Entry(1, 2.0), Entry(2, 3.0)]
    yield lambda x: x * min(entries).k
    entries[0].rank = 9
    yield


@change
def a_method_of_a_dataclass():
    @dataclasses.dataclass
    class Schedule:
        start: float
        decay: float = 1.0

        def at(self, step):
            return self.start * self.decay**step

    schedule = Schedule(2.0)
    yield lambda x: x * schedule.at(3)
    schedule.decay = 0.5
    yield


@change
def a_dataclass_in_a_match():
    @dataclasses.dataclass
    class Settings:
        mode: str
        k: float

    def f(x):
        match settings:
            case Settings("slow", k):
                return x * k
            case Settings(k=k):
                return x / k

    settings = Settings("slow", 2.0)
    yield f
    settings.mode = "fast"
    yield


@change
def a_dataclass_whose_repr_is_read():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * float(repr(settings).rpartition("=")[2][:-1])
    settings.k = 3.0
    yield


@change
def a_named_tuple_that_is_replaced():
    Point = collections.namedtuple("Point", "a b")
    point = Point(2.0, 3.0)
    yield lambda x: x * point.a + point[1]
    point = point._replace(a=5.0)
    yield


@change
def what_a_named_tuple_holds():
    class Settings(typing.NamedTuple):
        ks: list

    settings = Settings([2.0])
    yield lambda x: x * settings.ks[0]
    settings.ks[0] = 3.0
    yield


@change
def a_method_of_a_named_tuple():
    class Point(typing.NamedTuple):
        a: float

        def scaled(self):
            return self.a * factor

    factor, point = 2.0, Point(1.0)
    yield lambda x: x * point.scaled()
    factor = 3.0
    yield


@change
def a_property_of_a_named_tuple():
    class Point(typing.NamedTuple):
        a: list

        @property
        def first(self):
            return self.a[0]

    point = Point([2.0])
    yield lambda x: x * point.first
    point.a[0] = 3.0
    yield


@change
def a_field_of_a_named_tuple_on_its_class():
    Point = collections.namedtuple("Point", "a b")
    point = Point(2.0, 3.0)
    yield lambda x: x * point.a
    Point.a = Point.b
    yield


@change
def a_default_of_a_named_tuple():
    Point = collections.namedtuple("Point", "a", defaults=[2.0])
    yield lambda x: x * Point().a
    Point.__new__.__defaults__ = (3.0,)
    yield


@change
def a_field_that_is_added_to_a_dataclass():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    settings = Settings()
    yield lambda x: x * len(dataclasses.fields(settings))
    Settings.__dataclass_fields__["other"] = Settings.__dataclass_fields__["k"]
    yield


@change
def the_fields_of_a_dataclass_by_their_attribute():
    @dataclasses.dataclass
    class Settings:
        k: float = 2.0

    yield lambda x: x * len(Settings.__dataclass_fields__)
    Settings.__dataclass_fields__["other"] = Settings.__dataclass_fields__["k"]
    yield
