"""Structures of arguments and results: what kind they are of, and the tensors in them."""

from __future__ import annotations

import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from operator import itemgetter
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..dtypes import DType
from ..engine.composites import Assembled, Part
from ..engine.device_values import Spread
from ..engine.distributed_values import ReplicaValues
from ..engine.indexed_slices import IndexedSlices
from ..engine.primitives import Identity
from ..engine.recorders import Recorder, active, recording
from ..engine.sparse_tensor import PLACED, SparseTensor
from ..engine.tensor import Tensor, wrap
from .recording import Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

ATOMS = frozenset((int, float, complex, bool, str, bytes, type(None)))
COMPOSITES = *PLACED, ReplicaValues
"""Classes whose instances are made of tensors."""
_OF_PYTHON = frozenset((dict, OrderedDict, defaultdict, Counter, deque))
MASK = "_keras_mask"
"""The attribute of a tensor in which Keras keeps a mask; None is as good as nothing there."""


class Same:
    """Equal to itself alone, for the sake of the object for which it stands."""

    __slots__ = ("_hash", "_held", "_is_weak")

    def __init__(self, thing: object) -> None:
        self._hash = id(thing)
        self._is_weak = True
        try:
            self._held: Any = weakref.ref(thing)  # of which there is one for each object
        except TypeError:
            self._held, self._is_weak = thing, False

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._held is other._held

    @property
    def thing(self) -> object:
        """The object, None if it was freed."""
        return self._held() if self._is_weak else self._held

    def __repr__(self) -> str:
        return repr(self.thing)

    def condition(self, place: str, known: Callable[[Any], str]) -> str:
        """The source of a test that the object stands at a place; ``known`` names values in it."""
        name = known(self._held)
        return f"{name}() is {place} is not None" if self._is_weak else f"{place} is {name}"


class Arguments:
    """The arguments of a call: of what kind they are, and what is in them.

    Tensors are of a kind if dtype and shape agree, and the attributes that they were given;
    Python's numbers and strings if they are equal; any other object is of a kind of its own.
    """

    def __init__(
        self, owner: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.passed = args, kwargs
        self.tensors: list[Tensor] = []
        self.objects: list[Any] = []
        self._places = owner, args, kwargs
        self.kind = self._kind()

    def _kind(self) -> tuple[Hashable, ...]:
        owner, *given = self._places
        owners = tuple([self._object(each) for each in owner])  # methods use it as it is
        return owners, *[self._kind_of(each) for each in given]

    def _object(self, value: object) -> Same:
        """An argument that is taken as it is: its kind is its identity."""
        self.objects.append(value)
        return Same(value)

    def changed(self) -> bool:
        """Whether lists or dicts among the arguments are not what they were."""
        return Arguments(*self._places).kind != self.kind

    def described(self) -> Any:
        """The arguments, with `TensorKind` in place of tensors and `Same` in place of objects."""
        return nest.map_structure(_described, self.passed)

    def passed_to(self, python: Callable[..., Any], tensors: Sequence[Tensor] | None = None) -> Any:
        """Call the Python with the arguments, with these tensors in place of theirs."""
        given = self.tensors if tensors is None else tensors
        others = {id(old): new for old, new in zip(self.tensors, given, strict=True)}
        return python(*with_tensors(self.passed, others))

    def lend_attributes(self, tensors: Sequence[Tensor]) -> Callable[[Callable[..., Any]], bool]:
        """Give the attributes of the tensors to those that take their places.

        The function that comes back tells whether Python has set any since. The arguments then get
        them too, with results of its argument, ``plain``, in place of the values.
        """
        others = {id(old): new for old, new in zip(self.tensors, tensors, strict=True)}
        for old, new in zip(self.tensors, tensors, strict=True):
            vars(new).update(with_tensors(attributes(old), others))
        lent = [(old, new, attributes(new)) for old, new in zip(self.tensors, tensors, strict=True)]

        def were_set(plain: Callable[[Any], Any]) -> bool:
            found = []
            for old, new, was in lent:
                now = attributes(new)
                if now.keys() != was.keys() or any([now[name] is not was[name] for name in was]):
                    found.append((old, now))
            for old, now in found:
                vars(old).clear()
                vars(old).update({name: plain(value) for name, value in now.items()})
            return bool(found)

        return were_set

    def _class(self, cls: type) -> None:
        """The class of a container may be of the program, with methods and attributes."""
        if cls not in _OF_PYTHON:
            self.objects.append(cls)

    def _kind_of(self, value: Any) -> Hashable:
        cls = type(value)
        if cls is Tensor:
            for i, each in enumerate(self.tensors):
                if each is value:
                    return "argument", i
            self.tensors.append(value)
            array, own = value._array, attributes(value)
            plain: tuple[Hashable, ...] = (array.dtype, array.shape)
            if isinstance(array, Spread):
                plain = (*plain, array.place)
            return ("with", plain, self._kind_of(own)) if own else plain
        if cls is list or cls is tuple:
            return cls, *[self._kind_of(item) for item in value]
        if isinstance(value, dict):
            kind: Any = cls
            keys = tuple([self._kind_of(key) for key in value])  # equal keys need not be the same
            self._class(cls)
            if isinstance(value, defaultdict):
                kind = cls, self._object(value.default_factory)
            return kind, keys, *[self._kind_of(item) for item in value.values()]
        if cls in ATOMS:
            return cls, exactly(value)
        if isinstance(value, COMPOSITES):
            return cls, *[self._kind_of(part) for part in parts(value)]
        if isinstance(value, Assembled):
            kind = cls, value._kind()
            return *kind, *[self._kind_of(part) for part in value._parts()]
        if cls is MethodType:  # Python makes another one each time that it is named
            owner = value.__self__
            held = self._kind_of(owner) if type(owner) is Tensor else self._object(owner)
            return cls, self._object(value.__func__), held
        if is_traced(value):
            return cls, value.__tf_tracing_type__(TracingContext())
        if nest.is_nested(value):
            self._class(cls)
            room = getattr(value, "maxlen", None)  # of a queue
            found = nest.flatten_with_path(value)
            return cls, room, *[(path, self._kind_of(x)) for path, x in found]
        if isinstance(value, (np.dtype, np.generic, DType)):
            return cls, value
        if cls.__hash__ is None:
            raise TypeError(
                f"Could not generate a generic TraceType for {value!r}. Please verify that it is "
                "immutable/hashable. Otherwise, consider implementing the Tracing Protocol for it."
            )
        return self._object(value)


def attributes(tensor: Tensor) -> dict[str, Any]:
    """The attributes that a program or Keras has given to a tensor."""
    return {k: v for k, v in vars(tensor).items() if v is not None or k != MASK}


def exactly(value: object) -> object:
    """A key of a number or string: equal for two of one type just if both are the same."""
    cls = type(value)
    exact = cls is not complex and (value or cls is not float) and value == value
    return value if exact else repr(value)  # -0.0 is not 0.0


class TracingContext:
    """The argument of ``__tf_tracing_type__``; it holds nothing that types need here."""


def is_traced(value: object) -> bool:
    """Whether a value says itself of which kind it is."""
    return hasattr(type(value), "__tf_tracing_type__")


class TensorKind:
    """The spec of a tensor among arguments, which is one leaf of their structure."""

    def __init__(self, tensor: Tensor) -> None:
        self.spec = Spec.of(tensor._array)


def _described(value: object) -> object:
    if type(value) is Tensor:
        return TensorKind(value)
    return value if type(value) in ATOMS else Same(value)


def written_kind(kind: object) -> str:
    """The kind of an argument, for people."""
    if isinstance(kind, tuple) and kind and isinstance(kind[0], np.dtype):
        return str(Spec(*kind))
    if isinstance(kind, tuple) and len(kind) == 2 and kind[0] in ATOMS:
        return repr(kind[1])
    if isinstance(kind, tuple):
        return f"({', '.join(map(written_kind, kind[1:]))})"
    return repr(kind)


def sample(kind: Any, tensors: list[Tensor]) -> Any:
    """A value of a kind, with zeros in its tensors, which are added to those that came before.

    Raises LookupError for an object that was freed, and for kinds of which none can be made up.
    """
    if isinstance(kind, Same):
        if kind.thing is None:
            raise LookupError("an object that was freed")
        return kind.thing
    cls, *parts = kind
    if isinstance(cls, np.dtype):
        tensors.append(wrap(np.zeros(parts[0], cls)[()]))
        return tensors[-1]
    if cls == "argument":
        return tensors[parts[0]]
    if cls is list or cls is tuple:
        return cls([sample(part, tensors) for part in parts])
    if cls is dict:
        keys = [sample(key, []) for key in parts[0]]
        return {k: sample(part, tensors) for k, part in zip(keys, parts[1:], strict=True)}
    if cls in ATOMS:
        return parts[0] if type(parts[0]) is cls else cls(parts[0])
    raise LookupError(cls)


def with_tensors(value: Part, others: Mapping[int, Tensor]) -> Part:
    """The argument with other tensors in place of its own, which are known by identity."""
    cls = type(value)
    if cls is Tensor:
        return others[id(value)]
    if cls is list or cls is tuple:
        return cls([with_tensors(item, others) for item in value])
    if cls is dict:
        return {key: with_tensors(item, others) for key, item in value.items()}
    if isinstance(value, COMPOSITES):
        return cls(*[with_tensors(part, others) for part in parts(value)])
    if isinstance(value, Assembled):
        return value._of_parts([with_tensors(part, others) for part in value._parts()])
    if cls is MethodType and type(value.__self__) is Tensor:
        return MethodType(value.__func__, others[id(value.__self__)])
    if nest.is_nested(value):
        return nest.map_structure(lambda leaf: with_tensors(leaf, others), value)
    return value


def parts(value: IndexedSlices | SparseTensor | ReplicaValues) -> Sequence[Any]:
    """The parts of such a value, as its constructor takes them."""
    if isinstance(value, ReplicaValues):
        return value.values
    if isinstance(value, IndexedSlices):
        return value.values, value.indices, value._shape
    return value.indices, value.values, value.lengths


class Results:
    """The tensors that a function returned, and ``pack``, which puts others in their places."""

    def __init__(self, returned: object) -> None:
        self.tensors: list[Tensor] = []
        self.pack: Callable[[Sequence[Any]], Any] = _builder(returned, self.tensors)
        self.kind = _returned_kind(returned)


def _returned_kind(value: Any) -> Hashable:
    """Equal for two results if they are the same but for tensors."""
    cls = type(value)
    if cls is Tensor:
        return (cls,)
    if cls is tuple or cls is list:
        return cls, *map(_returned_kind, value)
    if cls is dict:
        return cls, *[(_returned_kind(k), _returned_kind(item)) for k, item in value.items()]
    return (cls, exactly(value)) if cls in ATOMS else (cls, Same(value))


def independent(tensors: Sequence[Tensor]) -> list[Tensor]:
    """The tensors of a result, so that for tapes none is made of another one.

    They then know of the results of a call what they know where it is replayed.
    """
    own = Identity
    return [
        own(x) if any([type(r) is Recorder for r in active(x._recorder)]) else x for x in tensors
    ]


def returned_by(python: Callable[..., Any], *arguments: object) -> object:
    """Run the Python of a recorded function as it is."""
    returned = python(*arguments)
    if not recording():
        return returned
    results = Results(returned)
    return results.pack(independent(results.tensors))


def _builder(value: Part, tensors: list[Tensor]) -> Callable[[Sequence[Any]], Any]:
    """How to build such a value of other tensors; its own are added to the list."""
    cls = type(value)
    if cls is Tensor:
        place = len(tensors)
        tensors.append(value)
        return itemgetter(place)
    if cls is list or cls is tuple:
        items = [_builder(item, tensors) for item in value]
        return lambda given: cls([build(given) for build in items])
    if cls is dict:
        pairs = {key: _builder(item, tensors) for key, item in value.items()}
        return lambda given: {key: build(given) for key, build in pairs.items()}
    if isinstance(value, COMPOSITES):
        pieces = [_builder(part, tensors) for part in parts(value)]
        return lambda given: cls(*[build(given) for build in pieces])
    if isinstance(value, Assembled):
        pieces = [_builder(part, tensors) for part in value._parts()]
        return lambda given: value._of_parts([build(given) for build in pieces])
    if nest.is_nested(value):
        leaves = [_builder(leaf, tensors) for leaf in nest.flatten(value)]
        empty = nest.map_structure(lambda leaf: None, value)
        return lambda given: nest.pack_sequence_as(empty, [build(given) for build in leaves])
    return lambda given: value
