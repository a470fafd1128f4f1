"""Annotations of fields, and values and specs converted to what an annotation says."""

from __future__ import annotations

import collections.abc
import types
import typing
from typing import TYPE_CHECKING, Any

from ..dtypes import DType, as_dtype
from ..engine.composites import Composite
from ..engine.convert import as_tensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.shapes import TensorShape
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..programs.specs import TensorSpec, TypeSpec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..engine.composites import Part

_PLAIN = frozenset((int, float, str, bytes, bool, type(None)))
_MADE_OF_TENSORS = Composite, SparseTensor, IndexedSlices, Variable
UNIONS = typing.Union, types.UnionType


class ImmutableDict(collections.abc.Mapping[Any, Any]):
    """A dictionary that does not change."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[Any, Any]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: object) -> Part:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items!r})"


def parts_of(annotation: Part) -> tuple[Part, tuple[Part, ...]]:
    """The parts of a generic annotation: ``Tuple`` and what stands in its brackets."""
    return typing.get_origin(annotation), typing.get_args(annotation)


def check(annotation: Part, field: str) -> None:
    """Refuse what no field can be."""
    origin, inner = parts_of(annotation)
    if origin in (*UNIONS, tuple, collections.abc.Mapping):
        for each in inner:
            if each is not Ellipsis:
                check(each, field)
    elif not isinstance(annotation, type) or not _is_known(annotation):
        raise TypeError(
            f"In field {field!r}: Unsupported type annotation {_written(annotation)}. A field can "
            "be a tf.Tensor or tf.Variable, a class made of tensors, an int, float, str, bytes, "
            "bool or None, a tf.TensorShape or tf.DType, or a Tuple, Mapping, Union or Optional of "
            "these."
        )


def _is_known(kind: type) -> bool:
    return kind in _PLAIN or issubclass(
        kind, (Tensor, TensorShape, DType, TypeSpec, *_MADE_OF_TENSORS)
    )


def converted(value: Part, annotation: Part, place: str, *, to_spec: bool = False) -> Part:
    """The value of a field, or its spec; TypeError where it is not what the annotation says."""
    origin, inner = parts_of(annotation)
    if origin in UNIONS:
        return _one_of(value, annotation, place, to_spec)
    if origin is tuple:
        return _tuple(value, inner, place, to_spec)
    if origin is collections.abc.Mapping:
        return _mapping(value, inner, place, to_spec)
    if issubclass(annotation, Tensor):
        return _spec(value, place) if to_spec else _tensor(value, place)
    if issubclass(annotation, _MADE_OF_TENSORS) and to_spec:
        fits = isinstance(value, TypeSpec) and value.value_type == annotation
    elif issubclass(annotation, (TensorShape, DType)):
        return _of_tensors(value, annotation, place)
    else:
        fits = isinstance(value, annotation)
    if not fits:
        raise _refused(value, annotation, place)
    return value


def _tensor(value: Part, place: str) -> Tensor:
    try:
        return as_tensor(value)
    except (TypeError, ValueError):
        raise TypeError(f"{place}: expected a Tensor, got {type(value).__name__!r}") from None


def _spec(value: Part, place: str) -> TensorSpec:
    if isinstance(value, TensorSpec):
        return value
    raise TypeError(f"{place}: expected a TensorSpec, got {type(value).__name__!r}")


def _of_tensors(value: Part, kind: type, place: str) -> TensorShape | DType:
    """A shape or a dtype, which may be given in another form."""
    try:
        return TensorShape(value) if kind is TensorShape else as_dtype(value)
    except (TypeError, ValueError):
        raise _refused(value, kind, place) from None


def _one_of(value: Part, annotation: Part, place: str, to_spec: bool) -> Part:
    """The first of several annotations that fits."""
    for each in typing.get_args(annotation):
        try:
            return converted(value, each, place, to_spec=to_spec)
        except TypeError:
            continue
    raise _refused(value, annotation, place)


def _tuple(value: Part, inner: tuple[Part, ...], place: str, to_spec: bool) -> tuple[Part, ...]:
    if not isinstance(value, (list, tuple)):
        raise _refused(value, tuple, place)
    if inner[1:] == (Ellipsis,):
        inner = inner[:1] * len(value)
    if len(inner) != len(value):
        raise TypeError(f"{place}: expected tuple of length {len(inner)}, got {value!r}")
    pairs = enumerate(zip(value, inner, strict=True))
    return tuple([converted(x, a, f"{place}[{i}]", to_spec=to_spec) for i, (x, a) in pairs])


def _mapping(value: Part, inner: tuple[Part, ...], place: str, to_spec: bool) -> ImmutableDict:
    if not isinstance(value, collections.abc.Mapping):
        raise _refused(value, collections.abc.Mapping, place)
    return ImmutableDict(
        {
            converted(key, inner[0], f"{place}[<key>]"): converted(
                x, inner[1], f"{place}[{key!r}]", to_spec=to_spec
            )
            for key, x in value.items()
        }
    )


def _refused(value: Part, annotation: Part, place: str) -> TypeError:
    return TypeError(f"{place}: expected {_written(annotation)}, got {type(value).__name__!r}")


def _written(annotation: Part) -> str:
    return repr(annotation.__name__ if isinstance(annotation, type) else annotation)
