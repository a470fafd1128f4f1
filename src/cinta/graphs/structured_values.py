"""Structures of arguments and results, with specs where tensors are."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UnimplementedError
from ..programs.composite_specs import IndexedSlicesSpec, SparseTensorSpec
from ..programs.ragged_specs import RaggedTensorSpec
from ..programs.specs import TensorSpec
from ..protobuf.structures import (
    DictValue,
    ListValue,
    NamedTupleValue,
    NoneValue,
    PairValue,
    StructuredValue,
    TensorSpecProto,
    TupleValue,
    TypeSpecProto,
)
from .node_attributes import array_of, dtype_of, shape_message, shape_of, tensor_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..programs.specs import TypeSpec


_SPECS: dict[str, type[TypeSpec]] = {
    "IndexedSlicesSpec": IndexedSlicesSpec,
    "RaggedTensorSpec": RaggedTensorSpec,
    "SparseTensorSpec": SparseTensorSpec,
}


def plain(message: StructuredValue) -> Any:
    """The structure that a message stands for."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise ValueError("a structure has a part without a value")
    value = getattr(message, kind)
    reader = _READERS.get(kind)
    return value if reader is None else reader(value)


def _list(message: ListValue) -> list[Any]:
    return [plain(each) for each in message.values]


def _tuple(message: TupleValue) -> tuple[Any, ...]:
    return tuple([plain(each) for each in message.values])


def _dict(message: DictValue) -> dict[str, Any]:
    return {key: plain(each) for key, each in message.fields.items()}


def _named(message: NamedTupleValue) -> Any:
    fields = [pair.key for pair in message.values]
    kind = namedtuple(message.name, fields)  # type: ignore[misc]  # which refuses other names
    return kind(*[plain(pair.value) for pair in message.values])


def _tensor_spec(message: TensorSpecProto) -> TensorSpec:
    return TensorSpec(shape_of(message.shape), dtype_of(message.dtype), message.name or None)


def _spec(message: TypeSpecProto) -> TypeSpec:
    kind = _SPECS.get(message.type_spec_class_name)
    if kind is None:
        raise UnimplementedError(
            f"it takes or gives values of a {message.type_spec_class_name}, which cannot be read"
        )
    return kind(*plain(message.type_state))


_READERS: dict[str, Callable[..., Any]] = {
    "none_value": lambda _: None,
    "tensor_shape_value": shape_of,
    "tensor_dtype_value": dtype_of,
    "tensor_spec_value": _tensor_spec,
    "bounded_tensor_spec_value": _tensor_spec,
    "type_spec_value": _spec,
    "list_value": _list,
    "tuple_value": _tuple,
    "dict_value": _dict,
    "named_tuple_value": _named,
    "tensor_value": tensor_of,
    "numpy_value": lambda value: np.array(array_of(value)),
}


def written(value: Any) -> StructuredValue:
    """The message of a structure; TypeError if there is none."""
    if isinstance(value, TensorSpec):
        lengths = None if value.shape.rank is None else value.shape.as_list()
        spec = TensorSpecProto(
            name=value.name or "",
            shape=shape_message(lengths),
            dtype=value.dtype.as_datatype_enum,
        )
        return StructuredValue(tensor_spec_value=spec)
    fields = getattr(value, "_fields", None)
    if fields is not None:
        items = zip(fields, value, strict=True)
        pairs = [PairValue(key=name, value=written(each)) for name, each in items]
        named = NamedTupleValue(name=type(value).__name__, values=pairs)
        return StructuredValue(named_tuple_value=named)
    for kind, (field, make) in _WRITERS.items():
        if type(value) is kind:
            return StructuredValue(**{field: make(value)})
    raise TypeError(f"{value!r} cannot be written for TensorFlow")


_WRITERS: dict[type, tuple[str, Callable[[Any], Any]]] = {
    type(None): ("none_value", lambda _: NoneValue()),
    bool: ("bool_value", bool),
    int: ("int64_value", int),
    float: ("float64_value", float),
    str: ("string_value", str),
    list: ("list_value", lambda items: ListValue(values=[*map(written, items)])),
    tuple: ("tuple_value", lambda items: TupleValue(values=[*map(written, items)])),
    dict: (
        "dict_value",
        lambda table: DictValue(fields={key: written(each) for key, each in table.items()}),
    ),
}
