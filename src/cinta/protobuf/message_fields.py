"""The fields of messages: what they hold, and how that is written."""

from __future__ import annotations

from functools import cached_property
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from . import wire
from .descriptors import FieldDescriptor
from .repeated_fields import Mapped, Repeated
from .scalars import Scalar

if TYPE_CHECKING:
    from collections.abc import Callable

    from .messages import Message
    from .repeated_fields import Kind

Held: TypeAlias = Any
"""The content of a field: a value of its kind, a list or a map of them."""


class MessageField(FieldDescriptor):
    """A field of a message, and how it is looked up in one.

    A message that may stand in itself is named by a function, as its class is not there yet.
    """

    def __init__(
        self,
        number: int,
        kind: Kind | Callable[[], type[Message]],
        *,
        repeated: bool = False,
        key: Scalar | None = None,
        oneof: str | None = None,
        optional: bool = False,
    ) -> None:
        self.number, self._kind, self.repeated, self.key = number, kind, repeated, key
        self.oneof, self.optional = oneof, optional

    @cached_property
    def kind(self) -> Kind:
        """The kind of the values."""
        kind = self._kind
        return kind() if isinstance(kind, FunctionType) else kind  # type: ignore[return-value]

    @property
    def is_message(self) -> bool:
        """Whether the values are messages."""
        return not isinstance(self.kind, Scalar)

    @property
    def is_single(self) -> bool:
        """Whether there is one value at most."""
        return not self.repeated and self.key is None

    def made(self, value: object) -> Held:
        """The content of the field once this value was given."""
        if self.key is not None:
            return Mapped(self, dict(value))  # type: ignore[call-overload]
        if self.repeated:
            if not hasattr(value, "__iter__"):
                raise TypeError(f"{self.name}: must assign iterable, got {value!r}.")
            return Repeated(self.kind, value)
        return self.kind.one(value) if isinstance(self.kind, Scalar) else self.kind._from(value)

    def empty(self) -> Held:
        """The content of the field as long as nothing was given."""
        if self.key is not None:
            return Mapped(self)
        if self.repeated:
            return Repeated(self.kind)
        return self.kind.default if isinstance(self.kind, Scalar) else self.kind()

    def __get__(self, message: Message | None, owner: type[Message]) -> Held:
        if message is None:
            return self
        if self.name in message._values:
            return message._values[self.name]
        found = self.empty()
        if self.is_message or not self.is_single:
            message._values[self.name] = found
        return found

    def __set__(self, message: Message, value: object) -> None:
        if self.is_message or not self.is_single:
            raise AttributeError(
                f'Assignment not allowed to message field "{self.name}" in protocol message '
                "object: use CopyFrom, or extend."
            )
        message._put(self, self.made(value))

    def read(self, message: Message, way: int, value: wire.Value, depth: int) -> None:
        """Put what is written in this way into a message."""
        held = self.__get__(message, type(message))
        kind = self.kind
        if self.key is not None:
            key, item = _pair(self, wire.message(value), depth)
            held._put(key, item)
        elif isinstance(kind, Scalar):
            values = kind.read(way, value)
            if self.repeated:
                held._items.extend(values)
            elif values:
                message._put(self, values[-1])
        else:
            inner = held.add() if self.repeated else message._inner(self)
            inner._read(wire.message(value), depth)


def holds(field: MessageField, value: Held) -> bool:
    """Whether a value is one that others see."""
    if not field.is_single:
        return len(value) > 0
    if not isinstance(field.kind, Scalar):
        return value._given or any(True for _ in value._present())
    return bool(field.oneof) or field.optional or value != field.kind.default


def _pair(field: MessageField, content: bytes, depth: int) -> tuple[Held, Held]:
    """A key and its value, which stand in a message of their own."""
    assert field.key is not None
    key, kind = field.key.default, field.kind
    value: Held = kind.default if isinstance(kind, Scalar) else kind()
    for number, way, given in wire.tagged_fields(content):
        if number == 1:
            key = field.key.read(way, given)[-1]
        elif number == 2 and isinstance(kind, Scalar):
            value = kind.read(way, given)[-1]
        elif number == 2:
            value._read(wire.message(given), depth)
    return key, value


def written(field: MessageField, value: Held) -> bytes:
    """A field with its tags, as bytes."""
    number, kind = field.number, field.kind
    if field.key is not None:
        pairs = [_one(1, field.key, key) + _one(2, kind, item) for key, item in value.items()]
        return b"".join([wire.written_bytes(number, pair) for pair in pairs])
    if not field.repeated:
        return _one(number, kind, value)
    if isinstance(kind, Scalar) and kind.way != wire.COUNTED:  # in one piece
        return wire.written_bytes(number, b"".join([kind.written(each) for each in value]))
    return b"".join([_one(number, kind, each) for each in value])


def _one(number: int, kind: Kind, value: Held) -> bytes:
    if isinstance(kind, Scalar):
        return wire.tag(number, kind.way) + kind.written(value)
    return wire.written_bytes(number, value.SerializeToString())
