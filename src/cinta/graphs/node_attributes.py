"""Attributes of nodes as plain Python values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..engine.shapes import TensorShape
from ..engine.tensor import wrap
from ..errors import UnimplementedError
from ..io.tensor_bytes import read_tensor
from ..protobuf.tensor_messages import Dim, TensorShapeProto

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..dtypes import DType
    from ..engine.tensor import Array, Tensor
    from ..protobuf.graph_messages import AttrValue, NameAttrList
    from ..protobuf.tensor_messages import TensorProto

    Named = Callable[[NameAttrList], object]

_LIST_FIELDS = ("s", "i", "f", "b", "type", "shape", "tensor", "func")


def plain(attribute: AttrValue, function_of: Named) -> object:
    """The value of an attribute; ``function_of`` gives the functions that attributes name."""
    kind = attribute.WhichOneof("value")
    if kind == "list":
        found = [name for name in _LIST_FIELDS if len(getattr(attribute.list, name))]
        return [
            _plain(name, item, function_of)
            for name in found
            for item in getattr(attribute.list, name)
        ]
    if kind is None or kind == "placeholder":
        raise ValueError("an attribute has no value")
    return _plain(kind, getattr(attribute, kind), function_of)


def _plain(kind: str, value: object, function_of: Named) -> object:
    if kind == "s":
        assert isinstance(value, bytes)
        return value.decode(errors="surrogateescape")
    if kind == "func":
        return function_of(value)  # type: ignore[arg-type]
    reader = _READERS.get(kind)
    return value if reader is None else reader(value)


def dtype_of(number: int) -> DType:
    """The dtype of this number in TensorFlow."""
    try:
        return dtypes.as_dtype(number)
    except TypeError:
        raise UnimplementedError(
            f"TensorFlow's dtype number {number} does not exist in cinta"
        ) from None


def shape_of(message: TensorShapeProto) -> TensorShape:
    """A shape, of which parts may be unknown."""
    if message.unknown_rank:
        return TensorShape(None)
    return TensorShape([None if dim.size < 0 else dim.size for dim in message.dim])


def shape_message(lengths: Iterable[int | None] | None) -> TensorShapeProto:
    """A shape, of which parts may be unknown."""
    if lengths is None:
        return TensorShapeProto(unknown_rank=True)
    return TensorShapeProto(dim=[Dim(size=-1 if n is None else n) for n in lengths])


def array_of(message: TensorProto) -> Array:
    """The elements of a tensor."""
    dtype = dtype_of(message.dtype)
    if dtype in (dtypes.variant, dtypes.resource):
        raise UnimplementedError(f"a constant of the dtype {dtype.name} cannot be read")
    return np.asarray(read_tensor(message.SerializeToString()), dtype.dtype)


def tensor_of(message: TensorProto) -> Tensor:
    """The tensor itself."""
    array = array_of(message)
    return wrap(array if array.dtype == object else array[()])


_READERS: dict[str, Callable[..., object]] = {
    "type": dtype_of,
    "shape": shape_of,
    "tensor": array_of,
}
