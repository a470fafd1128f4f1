"""Tensors of ragged shapes: filled, reshaped, broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import dtypes
from ...errors import InvalidArgumentError
from ..arrays import creation, shaping, tiling
from ..elementwise.comparison import logical_and
from .constructors import ragged_or_dense
from .dynamic_shape import DynamicRaggedShape
from .elementwise import matched
from .tensor import RaggedTensor, assembled

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike
    from ...engine.tensor import Tensor
    from .annotations import RaggedOrDense


def _shape(value: RaggedOrDense) -> DynamicRaggedShape:
    if isinstance(value, DynamicRaggedShape):
        return value
    return DynamicRaggedShape._from_inner_shape(value)


def shape(
    input: RaggedOrDense, out_type: DTypeLike | None = None, name: str | None = None
) -> DynamicRaggedShape:
    """The shape, with the rows of every level."""
    return DynamicRaggedShape.from_tensor(input, out_type or dtypes.int32)


def reshape(tensor: RaggedOrDense, shape: RaggedOrDense, name: str | None = None) -> RaggedOrDense:
    """The elements, in their order, in another shape."""
    wanted = _shape(shape)
    x = ragged_or_dense(tensor)
    flat = x.flat_values if isinstance(x, RaggedTensor) else x
    return wanted._add_row_partitions(shaping.reshape(flat, wanted.inner_shape))


def zeros(
    shape: DynamicRaggedShape,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    layout: object = None,
) -> RaggedOrDense:
    """Zeros in this shape."""
    return _made(shape, lambda inner: creation.zeros(inner, dtype))


def ones(
    shape: DynamicRaggedShape,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    layout: object = None,
) -> RaggedOrDense:
    """Ones in this shape."""
    return _made(shape, lambda inner: creation.ones(inner, dtype))


def fill(
    dims: DynamicRaggedShape, value: RaggedOrDense, name: str | None = None, layout: object = None
) -> RaggedOrDense:
    """One value in this shape."""
    return _made(dims, lambda inner: creation.fill(inner, value))


def _made(shape: object, make: Callable[[Tensor], Tensor]) -> RaggedOrDense:
    """A tensor of the inner shape, in rows; no answer for a shape that is not ragged."""
    if not isinstance(shape, DynamicRaggedShape):
        return NotImplemented
    return shape._add_row_partitions(make(shape.inner_shape))


def broadcast_to(
    input: RaggedOrDense, shape: RaggedOrDense, name: str | None = None
) -> RaggedOrDense:
    """The elements repeated into a shape."""
    if not isinstance(shape, DynamicRaggedShape):
        raise TypeError(f"shape must be a DynamicRaggedShape, got {shape!r}.")
    x = ragged_or_dense(input)
    ragged = isinstance(x, RaggedTensor) and shape.num_row_partitions
    if ragged and x.row_splits.dtype is not shape.dtype:
        raise ValueError(
            f"Cannot coerce row_splits.dtype: {x.row_splits.dtype!r} and {shape.dtype!r}."
        )
    target = ones(shape, dtypes.bool)
    if not isinstance(x, RaggedTensor) and not shape.num_row_partitions:
        return tiling.broadcast_to(x, shape.inner_shape)
    levels, (flat, other) = matched([x, target])
    if other.shape.as_list() != list(shape._inner) and len(levels) == shape.num_row_partitions:
        raise InvalidArgumentError(f"A tensor of shape {x.shape} cannot be broadcast to {shape}.")
    made = assembled(tiling.broadcast_to(flat, other.shape), levels)
    return reshape(made, shape)


def broadcast_dynamic_shape(
    shape_x: DynamicRaggedShape, shape_y: DynamicRaggedShape
) -> DynamicRaggedShape:
    """The shape of what is computed from elements of two shapes."""
    for name, each in (("shape_x", shape_x), ("shape_y", shape_y)):
        if not isinstance(each, DynamicRaggedShape):
            raise TypeError(f"{name} must be a DynamicRaggedShape, got {each!r}.")
    if shape_x.row_partitions and shape_y.row_partitions and shape_x.dtype is not shape_y.dtype:
        raise ValueError(f"Dtypes don't match: {shape_x.dtype!r} and {shape_y.dtype!r}.")
    made = logical_and(ones(shape_x, dtypes.bool), ones(shape_y, dtypes.bool))
    wide = shape_x.row_partitions or not shape_y.row_partitions
    return DynamicRaggedShape.from_tensor(made).with_dtype((shape_x if wide else shape_y).dtype)
