"""Elements flipped, rolled, repeated and padded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.tensor import Tensor
from ...ops.arguments import (
    different_axes,
    integers,
    whole_number,
)
from ...ops.arrays import padding, reordering, shaping, tiling
from ...public import public
from .arguments import fits, is_one_of, lengths, places
from .manipulation import moved, ravel
from .types import asarray

if TYPE_CHECKING:
    from ...engine.annotations import AxisLike, NumericLike, TensorLike


@public("tnp.flip")
def flip(m: NumericLike, axis: AxisLike | None = None) -> Tensor:
    """The elements in the opposite order along an axis, or along all.

    >>> import cinta as tf
    >>> tf.experimental.numpy.flip([[1, 2], [3, 4]], axis=1).numpy()
    array([[2, 1],
           [4, 3]])

    Args:
        m: An array, a tensor, or what becomes one.
        axis: The axis or axes, counted from the end if negative; None for all.
    """
    tensor = asarray(m)
    axes = range(tensor.ndim) if axis is None else integers(axis, "axis")
    return reordering.reverse(tensor, list(axes)) if len(axes) else tensor


@public("tnp.flipud")
def flipud(m: NumericLike) -> Tensor:
    """The rows in the opposite order.

    >>> import cinta as tf
    >>> tf.experimental.numpy.flipud([[1, 2], [3, 4]]).numpy()
    array([[3, 4],
           [1, 2]])

    Args:
        m: An array, a tensor, or what becomes one.
    """
    return flip(m, 0)


@public("tnp.fliplr")
def fliplr(m: NumericLike) -> Tensor:
    """The columns in the opposite order.

    >>> import cinta as tf
    >>> tf.experimental.numpy.fliplr([[1, 2], [3, 4]]).numpy()
    array([[2, 1],
           [4, 3]])

    Args:
        m: An array, a tensor, or what becomes one.
    """
    return flip(m, 1)


@public("tnp.roll")
def roll(a: NumericLike, shift: NumericLike, axis: AxisLike | None = None) -> Tensor:
    """The elements moved along axes, those that leave at one end coming in at the other.

    >>> import cinta as tf
    >>> tf.experimental.numpy.roll([1, 2, 3], 1).numpy()
    array([3, 1, 2])

    Args:
        a: An array, a tensor, or what becomes one.
        shift: How far to move, towards the end if positive.
        axis: The axis or axes; None to flatten first.
    """
    tensor = asarray(a)
    if axis is None:
        return shaping.reshape(reordering.roll(ravel(tensor), shift, 0), tensor.shape)
    return reordering.roll(tensor, shift, axis)


@public("tnp.rot90")
def rot90(m: NumericLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Tensor:
    """A matrix turned by a quarter, k times, from the first axis towards the second.

    >>> import cinta as tf
    >>> tf.experimental.numpy.rot90([[1, 2], [3, 4]]).numpy()
    array([[2, 4],
           [1, 3]])

    Args:
        m: An array, a tensor, or what becomes one.
        k: How many quarters.
        axes: The two axes.

    Raises:
        ValueError: If these are not two.
    """
    tensor = asarray(m)
    plane = different_axes("rot90", axes, tensor.ndim, "axes")
    if len(plane) != 2:
        raise ValueError(f"rot90: `axes` must be two, got {axes!r}.")
    return moved(np.rot90, tensor, whole_number(k, "k"), plane)


@public("tnp.repeat")
def repeat(a: NumericLike, repeats: NumericLike, axis: int | None = None) -> Tensor:
    """Every element, or every slice along an axis, repeated.

    >>> import cinta as tf
    >>> tf.experimental.numpy.repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2])

    Args:
        a: An array, a tensor, or what becomes one.
        repeats: How often, for all or for each.
        axis: The axis; None to flatten first.
    """
    return tiling.repeat(asarray(a), repeats, axis)


@public("tnp.tile")
def tile(a: TensorLike, reps: NumericLike) -> Tensor:
    """The array repeated along its axes, which may become more.

    >>> import cinta as tf
    >>> tf.experimental.numpy.tile([1, 2], (2, 1)).numpy()
    array([[1, 2],
           [1, 2]])

    Args:
        a: An array, a tensor, or what becomes one.
        reps: How often, along every axis.
    """
    tensor = asarray(a)
    counts = list(lengths(reps, "reps"))
    rank = len(counts) if len(counts) > tensor.ndim else tensor.ndim
    wide = [1] * (rank - tensor.ndim) + list(tensor.shape)
    return tiling.tile(shaping.reshape(tensor, wide), [1] * (rank - len(counts)) + counts)


@public("tnp.pad")
def pad(array: NumericLike, pad_width: NumericLike, mode: str, **kwargs: NumericLike) -> Tensor:
    """The array with elements around it: a constant, or its own mirrored.

    >>> import cinta as tf
    >>> tf.experimental.numpy.pad([1, 2], [[1, 1]], "constant", constant_values=7).numpy()
    array([7, 1, 2, 7])

    Args:
        array: An array, a tensor, or what becomes one.
        pad_width: How many elements before and after, for each axis, or for all.
        mode: "constant", "reflect" without the element at the edge, or "symmetric" with it.
        kwargs: ``constant_values``, the constant.

    Raises:
        ValueError: If there is no such mode.
    """
    if not is_one_of(mode, ("constant", "reflect", "symmetric")):
        raise ValueError(f"Unsupported padding mode: {mode}")
    tensor = asarray(array)
    widths = places(pad_width, "pad_width")
    fits(widths.shape, (tensor.ndim, 2), "pad_width")
    widths = np.broadcast_to(widths, (tensor.ndim, 2))
    value = asarray(kwargs.get("constant_values", 0), tensor.dtype)
    return padding.pad(tensor, widths, mode, value)
