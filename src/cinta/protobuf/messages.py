"""Messages of protocol buffers as Python objects.

A message is a class with a line for each of its fields:

    class Feature(Message, name="tensorflow.Feature"):
        bytes_list = Field(1, BytesList, oneof="kind")
        float_list = Field(2, FloatList, oneof="kind")

Its objects have the methods that those of the library protobuf have. A message within another one
is made when it is looked at, and is there for others once something has been put into it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from . import wire
from .descriptors import DescriptorOf
from .message_fields import MessageField, holds, written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Self

    from .message_fields import Held

_DEEPEST = 100
"""As many messages may stand one in the other; more are an attack on the stack."""


class DecodeError(ValueError):
    """Bytes are not a message of this kind."""


class Message:
    """The base of all messages."""

    full_name: ClassVar[str]
    DESCRIPTOR = DescriptorOf()
    _is_entry: ClassVar[bool] = False  # whether it is a pair of a map
    _fields: ClassVar[dict[str, MessageField]]
    _by_number: ClassVar[dict[int, MessageField]]
    _values: dict[str, Held]
    _given: bool
    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("_given", "_values")

    def __init_subclass__(cls, name: str) -> None:
        cls.full_name = name
        cls._fields = {
            k: field for k, field in vars(cls).items() if isinstance(field, MessageField)
        }
        cls._by_number = {}
        for each, field in cls._fields.items():
            field.name, field.containing_type = each, cls
            cls._by_number[field.number] = field

    def __init__(self, **fields: object) -> None:
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_given", False)
        for name, value in fields.items():
            if value is not None:
                self._put(self._field(name), self._field(name).made(value))

    @classmethod
    def _field(cls, name: str) -> MessageField:
        if not isinstance(name, str):
            raise TypeError(f"a field is named by a string, got {name!r} for {cls.__name__}")
        if name not in cls._fields:
            raise ValueError(
                f'Protocol message {cls.__name__} has no "{name}" field; it has '
                f"{', '.join(cls._fields)}."
            )
        return cls._fields[name]

    @classmethod
    def _from(cls, value: object) -> Self:
        """A message with the content of another one, or of a dict."""
        if isinstance(value, dict):
            value = cls(**value)
        if not isinstance(value, cls):
            raise TypeError(
                "Parameter to initialize message field must be dict or instance of same class: "
                f"expected {cls} got {type(value)}."
            )
        made = cls()
        made._merge(value)
        object.__setattr__(made, "_given", True)
        return made

    def _put(self, field: MessageField, value: Held) -> None:
        """A value for a field, in place of those of which there is one at most."""
        if field.oneof:
            self._clear_oneof(field.oneof)
        self._values[field.name] = value

    def _clear_oneof(self, oneof: str) -> None:
        for each in self._fields.values():
            if each.oneof == oneof:
                self._values.pop(each.name, None)

    def _present(self) -> Iterator[tuple[MessageField, Held]]:
        """The fields that hold something, in the order of their numbers."""
        chosen: dict[str, str] = {}  # of those that exclude each other, the one that came last
        held = []
        for name, value in self._values.items():
            field = self._fields[name]
            if holds(field, value):
                held.append((field, value))
                if field.oneof:
                    chosen[field.oneof] = name
        held.sort(key=lambda pair: pair[0].number)
        for field, value in held:
            if not field.oneof or chosen[field.oneof] == field.name:
                yield field, value

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self._fields:
            raise AttributeError(
                f'Assignment not allowed (no field "{name}" in protocol message object).'
            )
        self._fields[name].__set__(self, value)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        mine, theirs = [{f.name: v for f, v in m._present()} for m in (self, other)]
        return mine == theirs

    def __repr__(self) -> str:
        from .text import message_text

        return message_text(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).FromString, (self.SerializeToString(),)

    def __deepcopy__(self, memo: object) -> Self:
        return type(self)._from(self)

    # -- questions -------------------------------------------------------------------------

    def HasField(self, field_name: str) -> bool:
        """Whether a field holds something.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> one.HasField("int64_list"), one.HasField("bytes_list")
        (True, False)

        Args:
            field_name: The name of a field that is not repeated.

        Raises:
            ValueError: If there is no such field, or it is repeated.
        """
        if isinstance(field_name, str) and self._is_oneof(field_name):
            return self.WhichOneof(field_name) is not None
        wanted = self._field(field_name)
        if not wanted.is_single:
            raise ValueError(f"{field_name!r} has many values: ask for its length.")
        return any(field is wanted for field, _ in self._present())

    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the field that holds something, of those that exclude each other.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> one.WhichOneof("kind")
        'int64_list'

        Args:
            oneof_group: The name that these fields have in common.

        Raises:
            ValueError: If there is no such name.
        """
        if not isinstance(oneof_group, str) or not self._is_oneof(oneof_group):
            raise ValueError(
                f"Protocol message {type(self).__name__} has no oneof_group {oneof_group!r}."
            )
        return next((f.name for f, _ in self._present() if f.oneof == oneof_group), None)

    def _is_oneof(self, name: str) -> bool:
        """Whether some fields exclude each other under this name."""
        return any(field.oneof == name for field in self._fields.values())

    def ListFields(self) -> list[tuple[MessageField, Held]]:
        """The fields that hold something, and what they hold.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> [field.name for field, _ in one.ListFields()]
        ['int64_list']
        """
        return list(self._present())

    def IsInitialized(self) -> bool:
        """True: no field of these messages must be there.

        >>> import cinta as tf
        >>> tf.train.Feature().IsInitialized()
        True
        """
        return True

    def FindInitializationErrors(self) -> list[str]:
        """The fields that must be there and are not: none.

        >>> import cinta as tf
        >>> tf.train.Feature().FindInitializationErrors()
        []
        """
        return []

    # -- changes -------------------------------------------------------------------------------

    def SetInParent(self) -> None:
        """Be there for others, also if nothing is put in.

        >>> import cinta as tf
        >>> feature = tf.train.Feature()
        >>> feature.int64_list.SetInParent()
        >>> feature.WhichOneof("kind")
        'int64_list'
        """
        object.__setattr__(self, "_given", True)

    def Clear(self) -> None:
        """Take all values out.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> one.Clear()
        >>> one.WhichOneof("kind") is None
        True
        """
        self._values.clear()

    def ClearField(self, field_name: str) -> None:
        """Take the values of a field out.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> one.ClearField("int64_list")
        >>> one.HasField("int64_list")
        False

        Args:
            field_name: The name of a field.
        """
        self._values.pop(self._field(field_name).name, None)

    def CopyFrom(self, other_msg: Self) -> None:
        """Hold what another message holds, and nothing else.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> other = tf.train.Feature()
        >>> other.CopyFrom(one)
        >>> other == one
        True

        Args:
            other_msg: A message of the same class.
        """
        copied = type(self)._from(other_msg)
        object.__setattr__(self, "_values", copied._values)
        self.SetInParent()

    def MergeFrom(self, other_msg: Self) -> None:
        """Take the values of another message in addition.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> one.MergeFrom(one.FromString(one.SerializeToString()))
        >>> list(one.int64_list.value)
        [1, 1]

        Args:
            other_msg: A message of the same class.
        """
        self._merge(type(self)._from(other_msg))

    def _merge(self, other: Message) -> None:
        self.SetInParent()
        for field, value in other._present():
            if field.is_single and not field.is_message:
                self._put(field, value)
            elif field.is_single:
                self._inner(field)._merge(value)
            else:
                field.__get__(self, type(self)).MergeFrom(value)

    def _inner(self, field: MessageField) -> Message:
        """The message that stands in this one, alone of those that exclude each other."""
        inner: Message = field.__get__(self, type(self))
        self._put(field, inner)
        return inner

    # -- bytes ---------------------------------------------------------------------------------

    def SerializeToString(self, deterministic: bool | None = None) -> bytes:
        """The message as bytes.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> len(one.SerializeToString())
        5

        Args:
            deterministic: Accepted; changes no result.
        """
        return b"".join([written(field, value) for field, value in self._present()])

    SerializePartialToString = SerializeToString

    def ByteSize(self) -> int:
        """The number of these bytes.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> one.ByteSize() == len(one.SerializeToString())
        True
        """
        return len(self.SerializeToString())

    @classmethod
    def FromString(cls, s: bytes) -> Self:
        """The message that these bytes are.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> tf.train.Feature.FromString(one.SerializeToString()) == one
        True

        Args:
            s: The bytes.
        """
        made = cls()
        made.MergeFromString(s)
        return made

    def ParseFromString(self, serialized: bytes) -> int:
        """Hold what these bytes say, and nothing else.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> other = tf.train.Feature()
        >>> other.ParseFromString(one.SerializeToString())
        5

        Args:
            serialized: The bytes.
        """
        self.Clear()
        return self.MergeFromString(serialized)

    def MergeFromString(self, serialized: bytes) -> int:
        """Take what these bytes say in addition.

        >>> import cinta as tf
        >>> one = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
        >>> one.MergeFromString(one.SerializeToString())
        5
        >>> list(one.int64_list.value)
        [1, 1]

        Args:
            serialized: The bytes.

        Raises:
            cinta.protobuf.DecodeError: If they are not a message of this class.
        """
        if not isinstance(serialized, (bytes, bytearray, memoryview)):
            raise TypeError(f"`serialized` must be bytes, got {type(serialized).__name__}.")
        try:
            self._read(bytes(serialized), 0)
        except ValueError as error:
            raise DecodeError(
                f"Error parsing message with type '{self.full_name}': {error}"
            ) from None
        return len(serialized)

    def _read(self, content: bytes, depth: int) -> None:
        if depth > _DEEPEST:
            raise ValueError(f"more than {_DEEPEST} messages stand one in the other")
        self.SetInParent()
        for number, way, value in wire.tagged_fields(content):
            field = self._by_number.get(number)
            if field is not None:
                field.read(self, way, value, depth + 1)
