"""Sets and dictionaries that tell things apart by what they are, and not by ``==``."""

from __future__ import annotations

from collections.abc import MutableMapping, MutableSet
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

T = TypeVar("T")
V = TypeVar("V")


class Reference(Generic[T]):
    """A thing, hashed and compared by its identity.

    >>> from cinta.as_tensorflow.identities import Reference
    >>> one, other = [], []
    >>> Reference(one) == Reference(one), Reference(one) == Reference(other)
    (True, False)
    """

    def __init__(self, wrapped: T) -> None:
        self._wrapped = wrapped

    @property
    def unwrapped(self) -> T:
        """The thing."""
        return self._wrapped

    def deref(self) -> T:
        """The thing."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} wrapping {self._wrapped!r}>"


class ObjectIdentityDictionary(MutableMapping[T, V]):
    """A dictionary whose keys are known by their identity, so that tensors can be keys.

    >>> import cinta as tf
    >>> from cinta.as_tensorflow.identities import ObjectIdentityDictionary
    >>> one = tf.constant(1)
    >>> places = ObjectIdentityDictionary()
    >>> places[one] = "first"
    >>> places[one], tf.constant(1) in places
    ('first', False)
    """

    def __init__(self, items: Mapping[T, V] | Iterable[tuple[T, V]] = ()) -> None:
        self._items: dict[int, tuple[T, V]] = {}
        self.update(items)

    def __getitem__(self, key: T) -> V:
        if id(key) not in self._items:
            raise KeyError(key)
        return self._items[id(key)][1]

    def __setitem__(self, key: T, value: V) -> None:
        self._items[id(key)] = key, value

    def __delitem__(self, key: T) -> None:
        del self._items[id(key)]

    def __iter__(self) -> Iterator[T]:
        return (key for key, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self._items.values())})"


class ObjectIdentitySet(MutableSet[T]):
    """A set whose members are known by their identity.

    >>> from cinta.as_tensorflow.identities import ObjectIdentitySet
    >>> one = []
    >>> one in ObjectIdentitySet([one]), [] in ObjectIdentitySet([one])
    (True, False)
    """

    def __init__(self, members: Iterable[T] = ()) -> None:
        self._members = {id(member): member for member in members}

    def __contains__(self, member: object) -> bool:
        return id(member) in self._members

    def __iter__(self) -> Iterator[T]:
        return iter(self._members.values())

    def __len__(self) -> int:
        return len(self._members)

    def add(self, value: T) -> None:
        self._members[id(value)] = value

    def discard(self, value: T) -> None:
        self._members.pop(id(value), None)
