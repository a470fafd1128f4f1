"""Enumerations and namespaces."""

import enum
import types
import typing

from tests.functions.changes.table import Box, change


@change
def a_mode():
    class Mode(enum.Enum):
        SLOW = 2.0
        FAST = 3.0

    mode = Mode.SLOW
    yield lambda x: x * mode.value
    mode = Mode.FAST
    yield


@change
def a_mode_that_is_compared():
    class Mode(enum.Enum):
        SLOW = enum.auto()
        FAST = enum.auto()

    box = Box(mode=Mode.SLOW)
    yield lambda x: x * (2.0 if box.mode is Mode.SLOW else 3.0)
    box.mode = Mode.FAST
    yield


@change
def a_field_of_a_mode():
    class Mode(enum.Enum):
        SLOW = 1

    Mode.SLOW.k = 2.0
    yield lambda x: x * Mode.SLOW.k
    Mode.SLOW.k = 3.0
    yield


@change
def a_method_of_a_mode():
    class Mode(enum.Enum):
        SLOW = 2.0

        def scaled(self, x):
            return x * self.value * factor

    factor = 1.0
    yield lambda x: Mode.SLOW.scaled(x)
    factor = 3.0
    yield


@change
def the_value_of_a_mode():
    class Mode(enum.Enum):
        SLOW = 2.0

    yield lambda x: x * Mode.SLOW.value
    Mode.SLOW._value_ = 3.0
    yield


@change
def what_the_value_of_a_mode_holds():
    class Mode(enum.Enum):
        SLOW = [2.0]  # noqa: RUF012

    yield lambda x: x * Mode.SLOW.value[0]
    Mode.SLOW.value[0] = 3.0
    yield


@change
def flags():
    class Parts(enum.Flag):
        A = enum.auto()
        B = enum.auto()

    parts = Parts.A
    yield lambda x: x * (3.0 if Parts.B in parts else 2.0)
    parts |= Parts.B
    yield


@change
def a_mode_found_by_a_name():
    class Mode(enum.Enum):
        SLOW = 2.0
        FAST = 3.0

    name = "SLOW"
    yield lambda x: x * Mode[name].value
    name = "FAST"
    yield


@change
def a_mode_that_is_a_number():
    class Level(enum.IntEnum):
        LOW = 2
        HIGH = 3

    box = Box(level=Level.LOW)
    yield lambda x: x * int(box.level)
    box.level = Level.HIGH
    yield


@change
def a_mode_found_by_its_own_rule():
    class Mode(enum.Enum):
        SLOW = 2.0
        FAST = 3.0

        @classmethod
        def _missing_(cls, value):
            return cls[chosen]

    chosen = "SLOW"
    yield lambda x: x * Mode("default").value
    chosen = "FAST"
    yield


@change
def a_namespace():
    settings = types.SimpleNamespace(k=2.0)
    yield lambda x: x * settings.k
    settings.k = 3.0
    yield


@change
def a_namespace_of_its_own():
    class Settings(types.SimpleNamespace):
        def k(self):
            return self.j

    settings = Settings(j=2.0)
    yield lambda x: x * settings.k()
    settings.j = 3.0
    yield


@change
def a_typed_dictionary():
    class Settings(typing.TypedDict):
        k: float

    settings = Settings(k=2.0)
    yield lambda x: x * settings["k"]
    settings["k"] = 3.0
    yield


@change
def the_number_of_members_of_an_enumeration():
    class Mode(enum.Enum):
        SLOW = 1
        FAST = 2

    yield lambda x: x * len(Mode)
    Mode._member_names_.append("FAST")
    yield


@change
def the_members_of_an_enumeration_in_a_loop():
    class Mode(enum.Enum):
        SLOW = 1
        FAST = 2

    yield lambda x: x * sum([mode.value for mode in Mode])
    Mode._member_names_.append("FAST")
    yield
