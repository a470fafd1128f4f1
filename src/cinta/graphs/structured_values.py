"""Structures of arguments and results, with specs where tensors are."""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UnimplementedError
from ..programs.composite_specs import IndexedSlicesSpec, SparseTensorSpec
from ..programs.ragged_specs import RaggedTensorSpec
from ..programs.specs import TensorSpec
from .attributes import array_of, dtype_of, shape_of, tensor_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..programs.specs import TypeSpec
    from ..protobuf.structures import (
        DictValue,
        ListValue,
        NamedTupleValue,
        StructuredValue,
        TensorSpecProto,
        TupleValue,
        TypeSpecProto,
    )

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
