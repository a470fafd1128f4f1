"""Tensors as messages that can be looked into: `TensorProto`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..engine.arrays import stored_bytes
from ..engine.convert import as_tensor, constant
from ..engine.tensor import seen
from ..ops.arguments import flag, shape_argument
from ..protobuf.tensor_messages import Dim, TensorProto, TensorShapeProto
from ..public import public
from .tensor_bytes import read_tensor

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, ShapeLike, TensorLike
    from ..engine.shapes import Shape
    from ..engine.tensor import Array

_FIELDS = {
    "float32": "float_val", "float64": "double_val", "string": "string_val", "bool": "bool_val",
    "int64": "int64_val", "uint32": "uint32_val", "uint64": "uint64_val",
    "complex64": "scomplex_val", "complex128": "dcomplex_val",
    "float16": "half_val", "bfloat16": "half_val",
}  # fmt: skip
"""The fields that hold values one by one; those of other dtypes are in `int_val`."""
_ONE_BY_ONE = ("string", "bool", "complex64", "complex128", "int4", "uint4", "int2", "uint2")
"""The dtypes whose values never stand in one piece."""


@public("make_tensor_proto")
def make_tensor_proto(
    values: TensorLike,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    verify_shape: bool = False,
    allow_broadcast: bool = False,
) -> TensorProto:
    """Values as a message. A shape that needs more values repeats the last one.

    >>> import cinta as tf
    >>> tf.make_tensor_proto(1.5).float_val
    [1.5]
    >>> tf.make_ndarray(tf.make_tensor_proto([1, 2]))
    array([1, 2], dtype=int32)

    Args:
        values: Numbers, strings, nested lists or an array.
        dtype: The dtype; None for what the values ask for.
        shape: The shape; None for that of the values.
        verify_shape: Whether the values must have the shape exactly.
        allow_broadcast: Accepted: a shape that needs more values repeats the last one in any case.

    Raises:
        ValueError: If the shape needs fewer values than there are.
        TypeError: If ``verify_shape`` is true and the values have another shape.
    """
    verified, broadcast = flag(verify_shape, "verify_shape"), flag(allow_broadcast, "broadcast")
    if verified and broadcast:
        raise ValueError("allow_broadcast and verify_shape are not both allowed.")
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    given = as_tensor(values) if isinstance(values, np.generic) else constant(values, kind)
    array = np.asarray(seen(given))
    wanted = array.shape if shape is None else shape_argument(shape)
    _check_shape(array, wanted, verified, broadcast)
    proto = TensorProto(
        dtype=given.dtype.as_datatype_enum,
        tensor_shape=TensorShapeProto(dim=[Dim(size=size) for size in wanted]),
    )
    name = given.dtype.name
    if array.size == math.prod(wanted) > 1 and name not in _ONE_BY_ONE:
        proto.tensor_content = stored_bytes(array)
    elif array.itemsize == 1 and given.dtype.is_floating:
        proto.float8_val = array.tobytes()
    else:
        getattr(proto, _FIELDS.get(name, "int_val")).extend(_plain(array))
    return proto


def _check_shape(array: Array, wanted: Shape, verified: bool, broadcast: bool) -> None:
    """Refuse a shape into which the values do not go."""
    if min(wanted, default=0) < 0:
        raise ValueError(f"`shape` must have no negative sizes, got {wanted}.")
    size = math.prod(wanted)
    single = array.shape in ((), (1,))
    unlike = array.size != size and not single if broadcast else verified and array.shape != wanted
    if unlike:
        raise TypeError(f"Expected Tensor's shape: {wanted}, but got {array.shape}.")
    if array.size > size:
        raise ValueError(
            f"Too many elements provided in `values`. The `shape` {wanted} takes at most {size}, "
            f"but got {array.size}."
        )


def _plain(array: Array) -> list[object]:
    """The values as the fields of messages hold them."""
    flat = array.reshape(-1)
    if flat.dtype.kind == "c":
        flat = flat.view(f"f{flat.dtype.itemsize // 2}")
    elif flat.dtype.itemsize == 2 and flat.dtype.kind not in "iu":
        flat = flat.view(np.uint16)
    values: list[object] = flat.tolist()
    return values


@public("make_ndarray")
def make_ndarray(tensor: TensorProto) -> Array:
    """The array that a message holds.

    >>> import cinta as tf
    >>> tf.make_ndarray(tf.make_tensor_proto("a", shape=[2]))
    array([b'a', b'a'], dtype=object)

    Args:
        tensor: A ``TensorProto``.

    Raises:
        TypeError: If it is anything else.
    """
    serialized = getattr(tensor, "SerializeToString", None)
    if serialized is None:
        raise TypeError(f"`tensor` must be a TensorProto, got {tensor!r}.")
    found = read_tensor(serialized())
    return np.array(found, object if isinstance(found, bytes) else found.dtype)
