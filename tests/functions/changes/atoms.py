"""Numbers, texts and other classes of a program that derive from classes in C."""

import array
import string
import types
from decimal import Decimal
from fractions import Fraction

import numpy as np

from tests.functions.changes.table import change


@change
def a_float_with_a_field():
    class Rate(float): ...

    rate = Rate(1.0)
    rate.decay = 2.0
    yield lambda x: x * rate.decay
    rate.decay = 3.0
    yield


@change
def a_float_with_operators():
    class Rate(float):
        factor = 2.0

        def __mul__(self, other):
            return self.factor * other

        __rmul__ = __mul__

    rate = Rate(1.0)
    yield lambda x: x * (rate * 1.0)
    Rate.factor = 3.0
    yield


@change
def an_int_of_its_own():
    class Place(int):
        more = 0

        def __int__(self):
            return 2 + self.more

    place = Place(0)
    yield lambda x: x * int(place)
    Place.more = 1
    yield


@change
def a_text_with_a_field():
    class Name(str): ...

    name = Name("a")
    name.k = 2.0
    yield lambda x: x * name.k
    name.k = 3.0
    yield


@change
def a_text_that_is_equal_to_others():
    class Name(str):
        others = []  # noqa: RUF012

        def __eq__(self, other):
            return other in self.others

        __hash__ = str.__hash__

    name = Name("a")
    yield lambda x: x * (3.0 if name == "b" else 2.0)
    Name.others.append("b")
    yield


@change
def bytes_with_a_field():
    class Raw(bytes): ...

    raw = Raw(b"a")
    raw.k = 2.0
    yield lambda x: x * raw.k
    raw.k = 3.0
    yield


@change
def a_complex_number_with_a_field():
    class Number(complex): ...

    number = Number(1.0)
    number.k = 2.0
    yield lambda x: x * number.k
    number.k = 3.0
    yield


@change
def a_fraction_of_its_own():
    class Part(Fraction):
        factor = 2.0

        def __float__(self):
            return super().__float__() * self.factor

    part = Part(1, 2)
    yield lambda x: x * float(part)
    Part.factor = 3.0
    yield


@change
def a_decimal_with_a_field():
    class Price(Decimal): ...

    price = Price("1.5")
    price.k = 2.0
    yield lambda x: x * price.k
    price.k = 3.0
    yield


@change
def a_class_that_names_itself_as_one_of_python_does():
    class Decimal:
        k = 2.0

    Decimal.__module__, Decimal.__qualname__ = "decimal", "Decimal"
    price = Decimal()
    yield lambda x: x * price.k
    price.k = 3.0
    yield


@change
def a_module_of_its_own():
    class Lazy(types.ModuleType):
        def __getattr__(self, name):
            return ks[name]

    ks = {"k": 2.0}
    lazy = Lazy("lazy")
    yield lambda x: x * lazy.k
    ks["k"] = 3.0
    yield


@change
def an_array_of_its_own():
    class Scaled(np.ndarray):
        def total(self):
            return float(self.sum()) * self.factor

    ks = np.ones(2).view(Scaled)
    ks.factor = 2.0
    yield lambda x: x * ks.total()
    ks.factor = 3.0
    yield


@change
def a_buffer_of_its_own():
    class Buffer(array.array):
        factor = 2.0

        def total(self):
            return sum(self) * self.factor

    buffer = Buffer("d", [1.0])
    yield lambda x: x * buffer.total()
    Buffer.factor = 3.0
    yield


@change
def a_template_of_its_own():
    class Percent(string.Template):
        delimiter = "%"

    template = Percent("%k")
    yield lambda x: x * float(template.substitute(k=2.0))
    template.template = "3"
    yield


@change
def a_formatter_of_its_own():
    class Names(string.Formatter):
        def get_value(self, key, args, kwargs):
            return ks[key]

    ks, names = {"k": 2.0}, Names()
    yield lambda x: x * float(names.format("{k}"))
    ks["k"] = 3.0
    yield
