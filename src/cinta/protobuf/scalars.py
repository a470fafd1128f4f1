"""The kinds of values that the fields of messages hold, apart from messages."""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING, Any, TypeAlias

from . import wire

if TYPE_CHECKING:
    from collections.abc import Iterable

Plain: TypeAlias = bool | int | float | str | bytes
Numbers: TypeAlias = "array[Any]"


def _numbers(code: str, values: Iterable[object]) -> Numbers:
    """An array of numbers of this kind; values of others are refused."""
    return array(code, values)


class Scalar:
    """A kind of value: what it is by default, which values are of it, and how they are written."""

    def __init__(self, name: str, way: int, default: Plain) -> None:
        self.name, self.way, self.default = name, way, default

    def checked(self, values: Iterable[object]) -> list[Plain]:
        """The values, if all are of this kind."""
        raise NotImplementedError

    def one(self, value: object) -> Plain:
        """The value, if it is of this kind."""
        return self.checked([value])[0]

    def written(self, value: Plain) -> bytes:
        """The value without the tag of its field."""
        raise NotImplementedError

    def read(self, way: int, value: wire.Value) -> list[Plain]:
        """The values that a field has which is written in this way: one, or many in one piece."""
        raise NotImplementedError

    def shown(self, value: Plain) -> str:
        """The value in text."""
        return str(value)


class Whole(Scalar):
    """A whole number of some bits, written in base 128."""

    def __init__(self, name: str, code: str, default: Plain = 0) -> None:
        super().__init__(name, wire.VARINT, default)
        self.code = code
        self.bits = 8 * array(code).itemsize

    def checked(self, values: Iterable[object]) -> list[Plain]:
        """The values, if all are whole numbers of so many bits."""
        given = list(values)
        try:
            return _numbers(self.code, given).tolist()
        except OverflowError:
            raise ValueError(f"Value out of range: {given[:10]} for {self.name}.") from None

    def written(self, value: Plain) -> bytes:
        """The number in base 128."""
        return wire.written_varint(int(value))

    def read(self, way: int, value: wire.Value) -> list[Plain]:
        """The numbers, cut to their bits."""
        numbers = [value] if isinstance(value, int) else wire.varints(value)
        if self.code.isupper():
            return [number % 2**self.bits for number in numbers]
        half, full = 2 ** (self.bits - 1), 2**self.bits
        return [(number + half) % full - half for number in numbers]


class Signed(Whole):
    """A whole number whose sign is its last digit, so that small negative ones are short."""

    def written(self, value: Plain) -> bytes:
        """Twice the number; of a negative one, twice its amount less one."""
        number = int(value)
        return wire.written_varint(2 * number if number >= 0 else -2 * number - 1)

    def read(self, way: int, value: wire.Value) -> list[Plain]:
        """The numbers with their signs."""
        numbers = [value] if isinstance(value, int) else wire.varints(value)
        return [(number >> 1) ^ -(number & 1) for number in numbers]


class Truth(Whole):
    """True or False."""

    def __init__(self) -> None:
        super().__init__("bool", "q", False)

    def checked(self, values: Iterable[object]) -> list[Plain]:
        """The values as truths."""
        return [bool(value) for value in super().checked(values)]

    def read(self, way: int, value: wire.Value) -> list[Plain]:
        """Numbers as truths."""
        return [bool(number) for number in super().read(way, value)]

    def shown(self, value: Plain) -> str:
        """As protocol buffers write it."""
        return "true" if value else "false"


class Enum(Whole):
    """A number that has a name."""

    def __init__(self, **names: int) -> None:
        super().__init__("enum", "i")
        self.names = {number: each for each, number in names.items()}

    def shown(self, value: Plain) -> str:
        """The name of the number, if it has one."""
        return self.names.get(int(value), str(value))


class FixedWidth(Scalar):
    """A number that is written as its bytes."""

    def __init__(self, name: str, code: str, default: Plain = 0.0) -> None:
        self.code, self.size = code, array(code).itemsize
        super().__init__(name, wire.FOUR_BYTES if self.size == 4 else wire.EIGHT_BYTES, default)

    def checked(self, values: Iterable[object]) -> list[Plain]:
        """The values as numbers of these bytes."""
        return _numbers(self.code, values).tolist()

    def written(self, value: Plain) -> bytes:
        """The bytes of the number."""
        return self._swapped(_numbers(self.code, [value])).tobytes()

    def read(self, way: int, value: wire.Value) -> list[Plain]:
        """The numbers of these bytes."""
        if way not in (self.way, wire.COUNTED):
            raise ValueError(f"a {self.name} is not written in {self.size} bytes")
        content = value if isinstance(value, bytes) else value.to_bytes(self.size, "little")
        found = _numbers(self.code, [])
        found.frombytes(content)
        return list(self._swapped(found))

    @staticmethod
    def _swapped(numbers: Numbers) -> Numbers:
        """The lowest byte comes first, on every machine."""
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers

    def shown(self, value: Plain) -> str:
        """The number in as few digits as tell it from others."""
        digits = 6 if self.size == 4 else 15
        number = float(value)
        while float(text := f"{number:.{digits}g}") != number == number:
            if self.size == 4 and array("f", [float(text)])[0] == number:
                break
            digits += 1
        return text


class Counted(Scalar):
    """Bytes, or a text in UTF-8."""

    def __init__(self, kind: type[bytes | str]) -> None:
        super().__init__(kind.__name__, wire.COUNTED, kind())
        self.kind = kind

    def checked(self, values: Iterable[object]) -> list[Plain]:
        """The values, if all are bytes, or texts."""
        return [self._checked(value) for value in values]

    def _checked(self, value: object) -> Plain:
        if isinstance(value, bytes):
            return bytes(value) if self.kind is bytes else value.decode()
        if isinstance(value, str) and self.kind is str:
            return str(value)
        raise TypeError(f"expected {self.name}, {type(value).__name__} found")

    def written(self, value: Plain) -> bytes:
        """The bytes behind their number."""
        content = value.encode() if isinstance(value, str) else value
        assert isinstance(content, bytes)
        return wire.written_varint(len(content)) + content

    def read(self, way: int, value: wire.Value) -> list[Plain]:
        """The bytes, or their text."""
        content = wire.message(value)
        return [content if self.kind is bytes else content.decode()]

    def shown(self, value: Plain) -> str:
        """The bytes in quotes."""
        content = value.encode() if isinstance(value, str) else value
        assert isinstance(content, bytes)
        return '"' + "".join([_ESCAPED.get(byte) or _plain(byte) for byte in content]) + '"'


_ESCAPED = {ord(c): f"\\{e}" for c, e in zip("\n\r\t\"'\\", "nrt\"'\\", strict=True)}


def _plain(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


INT32, INT64 = Whole("int32", "i"), Whole("int64", "q")
UINT32, UINT64, SINT64 = Whole("uint32", "I"), Whole("uint64", "Q"), Signed("sint64", "q")
BOOL, FLOAT, DOUBLE = Truth(), FixedWidth("float", "f"), FixedWidth("double", "d")
FIXED32, FIXED64 = FixedWidth("fixed32", "I", 0), FixedWidth("fixed64", "Q", 0)
BYTES, STRING = Counted(bytes), Counted(str)
