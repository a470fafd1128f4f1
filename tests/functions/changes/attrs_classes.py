"""Classes made by attrs."""

import attr
import attrs

from tests.functions.changes.table import change


@change
def a_field():
    @attr.s
    class Mine:
        k = attr.ib(2.0)

    mine = Mine()
    yield lambda x: x * mine.k
    mine.k = 3.0
    yield


@change
def a_slot_and_what_another_holds():
    @attrs.define
    class Mine:
        k: float = 2.0
        table: dict = attrs.field(factory=dict)

    mine = Mine(table={"a": 1.0})
    yield lambda x: x * mine.k * mine.table["a"]
    mine.k = 3.0
    yield
    mine.table["a"] = 7.0
    yield


@change
def a_frozen_object():
    @attrs.frozen
    class Mine:
        k: float = 2.0

    mine = Mine()
    yield lambda x: x * mine.k
    object.__setattr__(mine, "k", 3.0)
    yield


@change
def an_object_that_is_evolved():
    @attrs.frozen
    class Mine:
        k: float = 2.0
        scale: float = 2.0

    found = [Mine()]
    yield lambda x: x * attrs.evolve(found[0], scale=4.0).k
    found[0] = Mine(5.0)
    yield


@change
def all_fields():
    @attrs.define
    class Mine:
        k: float = 2.0

    mine = Mine()
    yield lambda x: x * sum(attrs.asdict(mine).values())
    mine.k = 3.0
    yield


@change
def the_text_of_an_object():
    @attrs.define
    class Mine:
        k: float = 2.0

    mine = Mine()
    yield lambda x: x * len(f"{mine}")
    mine.k = 1234.0
    yield


@change
def a_converter_over_a_closure():
    k = 2.0

    @attrs.define
    class Mine:
        k: float = attrs.field(converter=lambda value: value * k)

    yield lambda x: x * Mine(1.0).k
    k = 3.0
    yield


@change
def what_a_validator_takes():
    @attrs.define
    class Mine:
        k: float = attrs.field(validator=attrs.validators.gt(0))

    def tried(x):
        try:
            return x * Mine(1.0).k
        except ValueError:
            return x * 5.0

    yield tried
    object.__setattr__(attrs.fields(Mine).k.validator, "bound", 7)
    yield


@change
def whether_objects_are_equal():
    @attrs.define
    class Mine:
        k: float = 2.0

    one, other = Mine(), Mine()
    yield lambda x: x * (2.0 if one == other else 1.0)
    other.k = 3.0
    yield


@change
def a_setter_made_by_a_descriptor():
    class Mine:
        k = 2.0

    mine, setter = Mine(), object.__setattr__.__get__

    def step(x):
        setter(mine)("k", mine.k + 1.0)
        return x * mine.k

    yield step
    yield
