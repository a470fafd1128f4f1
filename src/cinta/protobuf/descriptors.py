"""Messages and their fields as the library protobuf describes them.

Its ``text_format`` and ``json_format`` ask these facts of a message, and so they read and write
cinta's messages too.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .scalars import Enum, Scalar

if TYPE_CHECKING:
    from .messages import Message
    from .repeated_fields import Kind
    from .scalars import Plain

    MessageClass: TypeAlias = type[Message]

_TYPES = {
    "double": (1, 5),
    "float": (2, 6),
    "int64": (3, 2),
    "uint64": (4, 4),
    "int32": (5, 1),
    "fixed64": (6, 4),
    "fixed32": (7, 3),
    "bool": (8, 7),
    "str": (9, 9),
    "message": (11, 10),
    "bytes": (12, 9),
    "uint32": (13, 3),
    "enum": (14, 8),
    "sint64": (18, 2),
}
"""Protobuf's numbers of the types of fields, and of the types that these have in C++."""


class MessageOptions(NamedTuple):
    """The options of a message."""

    map_entry: bool
    message_set_wire_format: bool = False


class FileDescriptor(NamedTuple):
    """The file that declares messages."""

    name: str


_FILE = FileDescriptor("cinta")


class OneofDescriptor(NamedTuple):
    """Fields that exclude each other."""

    name: str


class EnumValue(NamedTuple):
    """A number that has a name."""

    name: str
    number: int


class EnumDescriptor:
    """The numbers of a field that have names."""

    is_closed = False

    def __init__(self, kind: Enum) -> None:
        values = [EnumValue(name, number) for number, name in kind.names.items()]
        self.full_name = kind.name
        self.values_by_number = {each.number: each for each in values}
        self.values_by_name = {each.name: each for each in values}


class FieldDescriptor:
    """The facts of a field, by the names that the library protobuf has for them."""

    name: str
    number: int
    key: Scalar | None
    oneof: str | None
    optional: bool
    repeated: bool
    containing_type: MessageClass
    is_extension = is_required = False
    file = _FILE

    @property
    def kind(self) -> Kind:
        """The kind of the values."""
        raise NotImplementedError

    @property
    def full_name(self) -> str:
        """The name with that of the message."""
        return f"{self.containing_type.full_name}.{self.name}"

    @property
    def json_name(self) -> str:
        """The name with capitals in place of underlines."""
        first, *others = self.name.split("_")
        return first + "".join(map(str.capitalize, others))

    @property
    def is_repeated(self) -> bool:
        """Whether there may be many values; the pairs of a map are such."""
        return self.repeated or self.key is not None

    @property
    def label(self) -> int:
        """3 if there may be many values, else 1."""
        return 3 if self.is_repeated else 1

    @property
    def has_presence(self) -> bool:
        """Whether a value that is the default differs from none."""
        return not self.is_repeated and (
            self.optional or self.oneof is not None or self.message_type is not None
        )

    @property
    def type(self) -> int:
        """The number of the type of the values."""
        return self._numbers[0]

    @property
    def cpp_type(self) -> int:
        """The number of that type in C++."""
        return self._numbers[1]

    @property
    def _numbers(self) -> tuple[int, int]:
        scalar = self.key is None and isinstance(self.kind, Scalar)
        return _TYPES[self.kind.name if scalar else "message"]  # type: ignore[union-attr]

    @property
    def default_value(self) -> Plain | list[Plain] | None:
        """The value as long as nothing was given."""
        if self.is_repeated:
            return []
        return self.kind.default if isinstance(self.kind, Scalar) else None

    @property
    def containing_oneof(self) -> OneofDescriptor | None:
        """The fields among which at most one holds something."""
        return None if self.oneof is None else OneofDescriptor(self.oneof)

    @property
    def enum_type(self) -> EnumDescriptor | None:
        """The names of the numbers."""
        return EnumDescriptor(self.kind) if isinstance(self.kind, Enum) else None

    @property
    def message_type(self) -> MessageDescriptor | None:
        """The message that each value is; the pairs of a map are messages too."""
        if self.key is not None:
            return self.entry.DESCRIPTOR
        return None if isinstance(self.kind, Scalar) else self.kind.DESCRIPTOR

    @cached_property
    def entry(self) -> MessageClass:
        """The message of one pair of a map."""
        assert self.key is not None, "only maps have pairs"
        return _pair_of(f"{self.full_name}Entry", self.key, self.kind)


def _pair_of(full_name: str, kind_of_key: Scalar, kind: Kind) -> MessageClass:
    from .message_fields import MessageField  # which are described here
    from .messages import Message

    class Entry(Message, name=full_name):
        key = MessageField(1, kind_of_key)
        value = MessageField(2, kind)

    Entry._is_entry = True
    return Entry


class MessageDescriptor:
    """The facts of a message."""

    is_extendable = False
    file, containing_type = _FILE, None

    def __init__(self, kind: MessageClass) -> None:
        self._kind = kind
        self.full_name = kind.full_name
        self.name = kind.full_name.rpartition(".")[2]
        self.fields = sorted(kind._fields.values(), key=lambda field: field.number)
        self.fields_by_name, self.fields_by_number = kind._fields, kind._by_number
        self.has_options = kind._is_entry

    def GetOptions(self) -> MessageOptions:
        """Its options."""
        return MessageOptions(self._kind._is_entry)


class DescriptorOf:
    """The attribute of messages and their classes that has these facts, in one object."""

    def __init__(self) -> None:
        self._made: dict[str, MessageDescriptor] = {}

    def __get__(self, message: Message | None, owner: MessageClass) -> MessageDescriptor:
        found = self._made.get(owner.full_name)
        if found is None:
            found = self._made[owner.full_name] = MessageDescriptor(owner)
        return found
