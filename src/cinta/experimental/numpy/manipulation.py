"""The axes that elements lie along."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ...engine.shapes import written
from ...engine.tensor import Tensor, wrap
from ...errors import ResourceExhaustedError
from ...ops.arguments import (
    axis_from_right,
    common_shape,
    different_axes,
    shape_argument,
)
from ...ops.arrays import creation, joining, shaping, tiling
from ...ops.arrays.gathering import gather
from ...public import public
from .arguments import is_one_of, lengths
from .types import asarray

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import AxisLike, NumericLike, ShapeLike, TensorLike
    from ...engine.shapes import TensorShape


def moved(function: Callable[..., Any], a: Tensor, *args: NumericLike) -> Tensor:
    """The result of a function of NumPy's that moves elements, differentiably.

    The function moves the elements' numbers, from 1 on, and where it leaves 0 there is a zero.
    """
    array = a._array
    try:
        taken = function(np.arange(1, array.size + 1).reshape(array.shape), *args)
    except (MemoryError, OverflowError) as error:
        wanted = f"{function.__name__} of {written(array.shape)} by {args}"
        raise ResourceExhaustedError(f"There is no room for {wanted}: {error}") from None
    flat = shaping.reshape(a, [-1])
    if np.all(taken):
        return gather(flat, wrap(np.asarray(taken) - 1))
    zero = creation.zeros([1], array.dtype)
    return gather(joining.concat([zero, flat], 0), wrap(np.asarray(taken)))


@public("tnp.ndim")
def ndim(a: TensorLike) -> int:
    """The number of axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ndim([[1, 2, 3]])
    2

    Args:
        a: An array, a tensor, or what becomes one.
    """
    return asarray(a).ndim


@public("tnp.shape")
def shape(a: NumericLike) -> TensorShape:
    """The length of every axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.shape([[1, 2, 3]])
    TensorShape([1, 3])

    Args:
        a: An array, a tensor, or what becomes one.
    """
    return asarray(a).shape


@public("tnp.size")
def size(x: NumericLike, axis: AxisLike | None = None) -> np.int64:
    """The number of elements.

    >>> import cinta as tf
    >>> tf.experimental.numpy.size([[1, 2, 3]])
    np.int64(3)

    Args:
        x: An array, a tensor, or what becomes one.
        axis: None.

    Raises:
        NotImplementedError: If there is an axis.
    """
    if axis is not None:
        raise NotImplementedError("size takes no axis; use x.shape[axis].")
    return np.int64(asarray(x)._array.size)


@public("tnp.reshape")
def reshape(a: NumericLike, newshape: ShapeLike, order: str = "C") -> Tensor:
    """The elements in another shape, in rows (order "C") or in columns ("F").

    >>> import cinta as tf
    >>> tf.experimental.numpy.reshape([1, 2, 3, 4], (2, 2), order="F").numpy()
    array([[1, 3],
           [2, 4]])

    Args:
        a: An array, a tensor, or what becomes one.
        newshape: The shape; one length may be -1, which stands for what is left.
        order: "C" or "F".

    Raises:
        ValueError: If the order is another one.
        InvalidArgumentError: If the shape has not as many elements.
    """
    tensor = asarray(a)
    shape = shape_argument(newshape, "newshape")
    if not is_one_of(order, ("C", "F")):
        raise ValueError(f"Unsupported value for argument `order`: {order!r}; give 'C' or 'F'.")
    if order == "C":
        return shaping.reshape(tensor, shape)
    return transpose(shaping.reshape(transpose(tensor), shape[::-1]))


@public("tnp.ravel")
def ravel(a: NumericLike) -> Tensor:
    """All elements along one axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.ravel([[1, 2], [3, 4]]).numpy()
    array([1, 2, 3, 4])

    Args:
        a: An array, a tensor, or what becomes one.
    """
    return shaping.reshape(asarray(a), [-1])


@public("tnp.flatten")
def flatten(a: NumericLike, order: str = "C") -> Tensor:
    """All elements along one axis, in rows (order "C") or in columns ("F").

    >>> import cinta as tf
    >>> tf.experimental.numpy.flatten([[1, 2], [3, 4]], order="F").numpy()
    array([1, 3, 2, 4])

    Args:
        a: An array, a tensor, or what becomes one.
        order: "C" or "F"; "A" and "K" are as "C".
    """
    return reshape(a, -1, "C" if is_one_of(order, ("A", "K")) else order)


@public("tnp.transpose")
def transpose(a: NumericLike, axes: NumericLike | None = None) -> Tensor:
    """The axes in another order: the opposite one if none is given.

    >>> import cinta as tf
    >>> tf.experimental.numpy.transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]])

    Args:
        a: An array, a tensor, or what becomes one.
        axes: Which axis stands at each place; None to reverse them.
    """
    return shaping.transpose(asarray(a), axes)


@public("tnp.swapaxes")
def swapaxes(a: NumericLike, axis1: int, axis2: int) -> Tensor:
    """Two axes exchanged.

    >>> import cinta as tf
    >>> tf.experimental.numpy.swapaxes([[1, 2], [3, 4]], 0, 1).numpy()
    array([[1, 3],
           [2, 4]])

    Args:
        a: An array, a tensor, or what becomes one.
        axis1: An axis.
        axis2: Another.
    """
    tensor = asarray(a)
    order = list(range(tensor.ndim))
    one = axis_from_right("swapaxes", axis1, tensor.ndim, "axis1")
    other = axis_from_right("swapaxes", axis2, tensor.ndim, "axis2")
    order[one], order[other] = order[other], order[one]
    return shaping.transpose(tensor, order)


@public("tnp.moveaxis")
def moveaxis(a: TensorLike, source: NumericLike, destination: NumericLike) -> Tensor:
    """Axes moved to other places; the others keep their order.

    >>> import cinta as tf
    >>> tf.experimental.numpy.moveaxis(tf.zeros([1, 2, 3]), 0, -1).shape
    TensorShape([2, 3, 1])

    Args:
        a: An array, a tensor, or what becomes one.
        source: The axis, or axes, that move.
        destination: Where each of them goes.

    Raises:
        ValueError: If there are more of them than places, or fewer.
    """
    tensor = asarray(a)
    rank = tensor.ndim
    old = different_axes("moveaxis", source, rank, "source")
    new = different_axes("moveaxis", destination, rank, "destination")
    if len(old) != len(new):
        raise ValueError(
            "`source` and `destination` must have the same number of elements, got "
            f"{source!r} and {destination!r}."
        )
    order = [axis for axis in range(rank) if axis - rank not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place + rank, axis + rank)
    return shaping.transpose(tensor, order)


@public("tnp.expand_dims")
def expand_dims(a: NumericLike, axis: AxisLike) -> Tensor:
    """A new axis of length one at this place.

    >>> import cinta as tf
    >>> tf.experimental.numpy.expand_dims([1, 2], axis=1).numpy()
    array([[1],
           [2]])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: Where the new axis stands.
    """
    return shaping.expand_dims(asarray(a), axis)


@public("tnp.squeeze")
def squeeze(a: NumericLike, axis: AxisLike | None = None) -> Tensor:
    """Without the axes of length one, or without those of them that are named.

    >>> import cinta as tf
    >>> tf.experimental.numpy.squeeze([[[1, 2]]], axis=0).numpy()
    array([[1, 2]])

    Args:
        a: An array, a tensor, or what becomes one.
        axis: The axes to take out; None for all of length 1.
    """
    return shaping.squeeze(asarray(a), axis)


def _at_least(
    rank: int, widen: Callable[[Tensor], Tensor], arrays: tuple[Any, ...]
) -> Tensor | list[Tensor]:
    tensors = [asarray(a) for a in arrays]
    wide = [widen(t) if t.ndim < rank else t for t in tensors]
    return wide[0] if len(wide) == 1 else wide


@overload
def atleast_1d(ary: NumericLike, /) -> Tensor: ...
@overload
def atleast_1d(first: NumericLike, second: NumericLike, /, *more: NumericLike) -> list[Tensor]: ...
@public("tnp.atleast_1d")
def atleast_1d(*arys: NumericLike) -> Tensor | list[Tensor]:
    """Each array with at least one axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.atleast_1d(5).numpy()
    array([5])
    """
    return _at_least(1, lambda t: t[None], arys)


@overload
def atleast_2d(ary: NumericLike, /) -> Tensor: ...
@overload
def atleast_2d(first: NumericLike, second: NumericLike, /, *more: NumericLike) -> list[Tensor]: ...
@public("tnp.atleast_2d")
def atleast_2d(*arys: NumericLike) -> Tensor | list[Tensor]:
    """Each array with at least two axes: a vector becomes a row.

    >>> import cinta as tf
    >>> tf.experimental.numpy.atleast_2d([1, 2]).numpy()
    array([[1, 2]])
    """
    return _at_least(2, lambda t: t[None] if t.ndim else t[None, None], arys)


@overload
def atleast_3d(ary: NumericLike, /) -> Tensor: ...
@overload
def atleast_3d(first: NumericLike, second: NumericLike, /, *more: NumericLike) -> list[Tensor]: ...
@public("tnp.atleast_3d")
def atleast_3d(*arys: NumericLike) -> Tensor | list[Tensor]:
    """Each array with at least three axes: a vector becomes the middle one.

    >>> import cinta as tf
    >>> tf.experimental.numpy.atleast_3d([1, 2]).shape
    TensorShape([1, 2, 1])
    """

    def widen(t: Tensor) -> Tensor:
        return (
            t[..., None] if t.ndim == 2 else t[None, ..., None] if t.ndim else t[None, None, None]
        )

    return _at_least(3, widen, arys)


@public("tnp.broadcast_to")
def broadcast_to(array: NumericLike, shape: ShapeLike) -> Tensor:
    """The array repeated to this shape.

    >>> import cinta as tf
    >>> tf.experimental.numpy.broadcast_to([1, 2], (2, 2)).numpy()
    array([[1, 2],
           [1, 2]])
    """
    return tiling.broadcast_to(asarray(array), lengths(shape))


@public("tnp.broadcast_arrays")
def broadcast_arrays(*args: NumericLike, **kwargs: object) -> list[Tensor]:
    """The arrays repeated to one shape.

    >>> import cinta as tf
    >>> [t.shape.as_list() for t in tf.experimental.numpy.broadcast_arrays([1, 2], [[3], [4]])]
    [[2, 2], [2, 2]]

    Args:
        args: Arrays, tensors, or what becomes them.
        kwargs: ``subok=False`` alone.

    Raises:
        ValueError: If something else is asked for.
    """
    if kwargs.pop("subok", False) or kwargs:
        raise ValueError(f"broadcast_arrays takes arrays only, got {sorted(kwargs) or 'subok'}.")
    tensors = [asarray(a) for a in args]
    shape = common_shape("broadcast_arrays", *[t._array.shape for t in tensors])
    return [tiling.broadcast_to(t, shape) for t in tensors]
