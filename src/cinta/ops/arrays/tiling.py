"""More of the same: broadcasting, tiling, repeating, grids."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor, match
from ...engine.fast_calls import on_one
from ...engine.primitives import BroadcastTo, Reshape
from ...engine.shapes import TensorShape, written
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import (
    axis_from_right,
    common_shape,
    integers,
    memory_for,
    shape_argument,
    text,
    whole,
)
from .gathering import Gather

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, NumericLike, ShapeLike, TensorLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Tensor


@public("broadcast_to")
def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """The tensor repeated along new axes and along axes of length 1, to have this shape.

    >>> import cinta as tf
    >>> tf.broadcast_to([1, 2], [2, 2]).numpy()
    array([[1, 2],
           [1, 2]], dtype=int32)

    Args:
        input: A tensor.
        shape: The shape that it shall have.

    Raises:
        InvalidArgumentError: If a length differs and is not 1.
    """
    x = as_tensor(input)
    old, new = x._array.shape, shape_argument(shape)
    try:
        return on_one(BroadcastTo, x, shape=new, rank=len(old))
    except InvalidArgumentError:
        raise InvalidArgumentError(
            f"Unable to broadcast tensor of shape {written(old)} to {written(new)}: Incompatible "
            "shapes [Op:BroadcastTo]"
        ) from None


@public("broadcast_static_shape")
def broadcast_static_shape(shape_x: TensorLike, shape_y: TensorLike) -> TensorShape:
    """The shape that tensors of these two shapes are broadcast to.

    >>> import cinta as tf
    >>> tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3]))
    TensorShape([2, 3])

    Args:
        shape_x: A ``tf.TensorShape``, or what becomes one.
        shape_y: Another; either may have unknown lengths.

    Raises:
        ValueError: If two lengths differ and neither is 1.
    """
    first, second = TensorShape(shape_x), TensorShape(shape_y)
    if first.rank is None or second.rank is None:
        return TensorShape(None)
    rank = max(len(first), len(second))
    padded = [(1,) * (rank - len(s)) + tuple(s) for s in (first, second)]
    return TensorShape(
        [_broadcast_length(a, b, first, second) for a, b in zip(*padded, strict=True)]
    )


def _broadcast_length(a: int | None, b: int | None, *shapes: TensorShape) -> int | None:
    if a == b or b == 1:
        return a
    if a == 1 or a is None:
        return b  # an unknown length is 1 or b: b either way
    if b is None:
        return a
    raise ValueError(f"Incompatible shapes for broadcasting: {shapes[0]} and {shapes[1]}")


@public("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: TensorLike, shape_y: TensorLike) -> Tensor:
    """The shape, as a tensor, that tensors of these two shapes are broadcast to.

    >>> import cinta as tf
    >>> tf.broadcast_dynamic_shape([2, 1], [3]).numpy()
    array([2, 3], dtype=int32)

    Args:
        shape_x: A shape, as a vector of integers.
        shape_y: Another.

    Raises:
        InvalidArgumentError: If two lengths differ and neither is 1.
    """
    empty = [isinstance(shape, (list, tuple)) and not shape for shape in (shape_x, shape_y)]
    given = [whole([]) if none else s for none, s in zip(empty, (shape_x, shape_y), strict=True)]
    pair = match("BroadcastArgs", *given)
    first, second = [integers(shape, "shape") for shape in pair]
    return wrap(np.array(common_shape("BroadcastArgs", first, second), pair[0]._array.dtype))


@public("tile")
def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """The tensor repeated along every axis, as many times as ``multiples`` says.

    >>> import cinta as tf
    >>> tf.tile([1, 2], [2]).numpy()
    array([1, 2, 1, 2], dtype=int32)

    Args:
        input: A tensor.
        multiples: How often, along every axis.

    Raises:
        InvalidArgumentError: If a number is negative, or there is not one for each axis.
    """
    x = as_tensor(input)
    shape, times = x._array.shape, shape_argument(multiples, "multiples")
    if len(times) != len(shape):
        raise InvalidArgumentError(
            f"Expected multiples argument to be a vector of length {len(shape)} but got length "
            f"{len(times)} [Op:Tile]"
        )
    if min(times, default=0) < 0:
        raise InvalidArgumentError(f"Expected multiples >= 0, but got {list(times)} [Op:Tile]")
    return _spread(x, [(1, n) for n in shape], list(zip(times, shape, strict=True)))


def _spread(x: Tensor, before: list[tuple[int, int]], after: list[tuple[int, int]]) -> Tensor:
    """Every axis as two, of which one is broadcast, and then as one again."""
    short, long = [tuple([n for pair in pairs for n in pair]) for pairs in (before, after)]
    full = on_one(BroadcastTo, on_one(Reshape, x, shape=short), shape=long, rank=len(short))
    return on_one(Reshape, full, shape=tuple([a * b for a, b in after]))


@public("repeat")
def repeat(
    input: TensorLike, repeats: TensorLike, axis: IntLike | None = None, name: str | None = None
) -> Tensor:
    """Every element, or slice along an axis, repeated: all equally often, or as listed for each.

    >>> import cinta as tf
    >>> tf.repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2], dtype=int32)
    >>> tf.repeat([[1], [2]], [1, 2], axis=0).numpy().tolist()
    [[1], [2], [2]]

    Args:
        input: A tensor.
        repeats: How often, for all or for each.
        axis: The axis of the slices; None for the elements in their order.

    Raises:
        InvalidArgumentError: If a number is negative.
        ValueError: If there are neither one nor as many numbers as slices.
    """
    x = as_tensor(input)
    if axis is None or not x._array.ndim:
        x, axis = on_one(Reshape, x, shape=(-1,)), 0
    shape = x._array.shape
    position = axis_from_right("Repeat", axis, len(shape), error=ValueError)
    times = integers(repeats, "repeats")
    if len(times) not in (1, shape[position]):
        raise ValueError(
            f"Dimensions {shape[position]} and {len(times)} are not compatible: `repeats` must be "
            f"one number, or one for each of the {shape[position]} slices along axis {axis}."
        )
    if min(times, default=0) < 0:
        raise InvalidArgumentError(f"repeats must not be negative, got {list(times)} [Op:Repeat]")
    if len(times) == 1:
        before = [(n, 1) for n in shape]
        after = [(n, times[0] if i - len(shape) == position else 1) for i, n in enumerate(shape)]
        return _spread(x, before, after)
    with memory_for("Repeat", (sum(times),)):
        places = wrap(np.repeat(np.arange(shape[position]), times))
    return Gather(x, places, axis=position)


@public("meshgrid")
def meshgrid(*args: NumericLike, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """The coordinates of a grid, by the coordinates along each of its axes.

    ``indexing="xy"`` lets the first vector run along the second axis, ``"ij"`` along the first.

    >>> import cinta as tf
    >>> x, y = tf.meshgrid([1, 2, 3], [4, 5])
    >>> x.numpy().tolist(), y.numpy().tolist()
    ([[1, 2, 3], [1, 2, 3]], [[4, 4, 4], [5, 5, 5]])

    Args:
        args: Vectors of coordinates.
        indexing: "xy" or "ij".

    Raises:
        ValueError: If ``indexing`` is another.
    """
    if text(indexing, "indexing") not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'"
        )
    vectors = [as_tensor(each) for each in args]
    axes = list(range(len(vectors)))
    if indexing == "xy":
        axes[:2] = axes[:2][::-1]
    lengths = [v._array.size for v in vectors]
    grid = tuple([lengths[k] for k in axes])
    return [_along(v, axis, grid) for v, axis in zip(vectors, axes, strict=True)]


def _along(vector: Tensor, axis: int, grid: Shape) -> Tensor:
    shape = tuple([n if i == axis else 1 for i, n in enumerate(grid)])
    row = on_one(Reshape, vector, shape=shape)
    return on_one(BroadcastTo, row, shape=grid, rank=len(grid))
