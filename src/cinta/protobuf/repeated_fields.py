"""Fields that hold several values: lists, and maps by key."""

from __future__ import annotations

from collections.abc import MutableMapping, MutableSequence
from typing import TYPE_CHECKING, TypeAlias

from .scalars import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .descriptors import FieldDescriptor
    from .messages import Message
    from .scalars import Plain

    Kind: TypeAlias = Scalar | type[Message]
    Item: TypeAlias = Plain | Message


class Repeated(MutableSequence["Item"]):
    """The values of a field that is repeated; others are refused."""

    __slots__ = ("_items", "_kind")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, kind: Kind, values: Iterable[object] = ()) -> None:
        self._kind = kind
        self._items: list[Item] = []
        self.extend(values)  # type: ignore[arg-type]

    def _checked(self, values: Iterable[object]) -> list[Item]:
        if isinstance(self._kind, Scalar):
            return list(self._kind.checked(values))
        return [self._kind._from(value) for value in values]

    def extend(self, values: Iterable[Item]) -> None:
        """Put values behind the others."""
        if not hasattr(values, "__iter__"):
            raise TypeError(f"Value must be iterable, got {values!r}.")
        self._items += self._checked(values)

    MergeFrom = extend

    def add(self, **fields: object) -> Message:
        """A new message behind the others."""
        assert not isinstance(self._kind, Scalar), "numbers and texts are appended"
        made = self._kind(**fields)
        self._items.append(made)
        return made

    def insert(self, index: int, value: Item) -> None:
        """Put a value before another."""
        self._items[index:index] = self._checked([value])

    def sort(self, **how: object) -> None:
        """Put the values in order."""
        self._items.sort(**how)  # type: ignore[call-overload]

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._items[index]

    def __setitem__(self, index, value) -> None:  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            self._items[index] = self._checked(value)
        else:
            (self._items[index],) = self._checked([value])

    def __delitem__(self, index: int | slice) -> None:
        del self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Repeated, list, tuple)):
            return self._items == list(other)
        return NotImplemented

    def __repr__(self) -> str:
        return repr(self._items)


class Mapped(MutableMapping["Plain", "Item"]):
    """The values of a field by their keys; a key that is looked up is there from then on."""

    __slots__ = ("_field", "_items", "_key", "_kind")

    def __init__(
        self, field: FieldDescriptor, values: MutableMapping[object, object] | None = None
    ) -> None:
        assert field.key is not None
        self._field, self._key, self._kind = field, field.key, field.kind
        self._items: dict[Plain, Item] = {}
        for each, value in (values or {}).items():
            self._items[self._key.one(each)] = self._checked(value)

    def _checked(self, value: object) -> Item:
        kind = self._kind
        return kind.one(value) if isinstance(kind, Scalar) else kind._from(value)

    def __getitem__(self, key: Plain) -> Item:
        if (checked := self._key.one(key)) not in self._items:
            kind = self._kind
            self._items[checked] = kind.default if isinstance(kind, Scalar) else kind()
        return self._items[checked]

    get_or_create = __getitem__

    def get(self, key: Plain, default: object = None) -> object:  # type: ignore[override]
        """The value of a key, without making one."""
        return self._items.get(key, default)

    def __setitem__(self, key: Plain, value: object) -> None:
        if not isinstance(self._kind, Scalar):
            raise ValueError(
                f"Message objects may not be assigned: use m[{key!r}].CopyFrom(message)."
            )
        self._items[self._key.one(key)] = self._checked(value)

    def _put(self, key: Plain, value: Item) -> None:
        """A pair that was read."""
        self._items[key] = value

    def MergeFrom(self, other: Mapped) -> None:
        """The pairs of another one, in place of those of the same key."""
        for key, value in other.items():
            self._items[key] = self._checked(value)

    def GetEntryClass(self) -> type[Message]:
        """The message of one pair."""
        return self._field.entry

    def __delitem__(self, key: Plain) -> None:
        del self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[Plain]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)
