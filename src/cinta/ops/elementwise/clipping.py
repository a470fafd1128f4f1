"""Clipping: what lies outside of bounds, or is too long, brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, convert_to_tensor
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.indexed_slices import IndexedSlices
from ...engine.tensor import look
from ...public import public
from ..arguments import tensor_of
from ..arrays.selecting import Masked, where
from ..reductions.norms import global_norm, reduce_euclidean_norm, sequence_of
from .arithmetic import maximum, minimum
from .casting import cast
from .comparison import not_equal
from .complex_numbers import complex, imag, real
from .division import Reciprocal, reciprocal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import AxisLike, DTypeLike, Gradient, IntLike, NumericLike
    from ...engine.tensor import Tensor


@overload
def clip_by_value(  # type: ignore[overload-overlap]
    t: IndexedSlices,
    clip_value_min: NumericLike,
    clip_value_max: NumericLike,
    name: str | None = None,
) -> IndexedSlices: ...
@overload
def clip_by_value(
    t: NumericLike,
    clip_value_min: NumericLike,
    clip_value_max: NumericLike,
    name: str | None = None,
) -> Tensor: ...
@public("clip_by_value")
def clip_by_value(
    t: NumericLike,
    clip_value_min: NumericLike,
    clip_value_max: NumericLike,
    name: str | None = None,
) -> Gradient:
    """The tensor with values outside of two bounds replaced by the nearer bound.

    The gradient is that of ``t`` where it lies within the bounds, the bounds included, and that of
    the bound elsewhere.

    >>> import cinta as tf
    >>> tf.clip_by_value([-2.0, 0.5, 3.0], -1.0, 1.0).numpy()
    array([-1. ,  0.5,  1. ], dtype=float32)

    Args:
        t: A tensor of numbers, or ``tf.IndexedSlices``.
        clip_value_min: The lower bound, a number or a tensor that is broadcast to ``t``.
        clip_value_max: The upper bound, likewise.

    Raises:
        ValueError: If a bound has a larger shape than ``t``.
    """
    if isinstance(t, IndexedSlices):
        return t.with_values(clip_by_value(t.values, clip_value_min, clip_value_max))
    given = as_tensor(t)
    clipped = maximum(minimum(given, clip_value_max), clip_value_min)
    if clipped._array.shape != given._array.shape:
        raise ValueError(
            f"Shapes {given.shape} and {clipped.shape} are incompatible: the bounds of "
            "tf.clip_by_value must broadcast to the shape of the tensor."
        )
    return clipped


@public("saturate_cast")
def saturate_cast(value: NumericLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Convert to another dtype; values beyond its range become the nearest one in it.

    >>> import cinta as tf
    >>> tf.saturate_cast([-5.0, 300.0], tf.uint8).numpy()
    array([  0, 255], dtype=uint8)

    Args:
        value: A tensor of numbers.
        dtype: The dtype to convert to.
    """
    x, wanted = convert_to_tensor(value), dtypes.as_dtype(dtype)
    range_of = wanted.real_dtype
    if x.dtype.is_complex:
        part = saturate_cast(real(x), range_of)
        return complex(part, saturate_cast(imag(x), range_of)) if wanted.is_complex else part
    low, high = max(x.dtype.min, range_of.min), min(x.dtype.max, range_of.max)
    x = clip_by_value(x, within(low, x._array.dtype), within(high, x._array.dtype))
    return cast(x, wanted)


def within(bound: IntLike, dtype: np.dtype[Any]) -> np.generic:
    """A bound as a number of the dtype, or if it has none, as the next one towards 0."""
    number: np.generic = dtype.type(bound)
    if abs(int(number)) <= abs(int(bound)):
        return number
    nearer: np.generic = np.nextafter(number, dtype.type(0))
    return nearer


@overload
def clip_by_norm(  # type: ignore[overload-overlap]
    t: IndexedSlices,
    clip_norm: NumericLike,
    axes: AxisLike | None = None,
    name: str | None = None,
) -> IndexedSlices: ...
@overload
def clip_by_norm(
    t: NumericLike, clip_norm: NumericLike, axes: AxisLike | None = None, name: str | None = None
) -> Tensor: ...
@public("clip_by_norm")
def clip_by_norm(
    t: NumericLike, clip_norm: NumericLike, axes: AxisLike | None = None, name: str | None = None
) -> Gradient:
    """The tensor, scaled down where its Euclidean norm along axes exceeds ``clip_norm``.

    >>> import cinta as tf
    >>> tf.clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)

    Args:
        t: A tensor of floating-point numbers, or ``tf.IndexedSlices``.
        clip_norm: The largest norm that is left as it is.
        axes: The axes of one vector; None for all.

    Raises:
        InvalidArgumentError: If ``t`` has another dtype.
    """
    if isinstance(t, IndexedSlices):
        return t.with_values(clip_by_norm(t.values, clip_norm, axes))
    values = tensor_of("Sqrt", t, REAL_FLOATING)
    limit = maximum(cast(clip_norm, values.dtype), 0)
    length = reduce_euclidean_norm(values, axes, True)
    positive = not_equal(length, 0)
    if not look(positive, np.all):  # at 0 the norm has no derivative, and needs none
        length = Masked(reduce_euclidean_norm(where(positive, values, 1), axes, True), positive)
    clipped = values * (limit / maximum(length, limit))
    if clipped._array.shape != values._array.shape:
        raise ValueError(
            f"Shapes {values.shape} and {clipped.shape} are incompatible: clip_norm of shape "
            f"{limit.shape} makes the tensor larger."
        )
    return clipped


@public("compat.v1.clip_by_average_norm")
def clip_by_average_norm(t: NumericLike, clip_norm: NumericLike, name: str | None = None) -> Tensor:
    """The tensor, scaled down where its Euclidean norm exceeds ``clip_norm`` times its size.

    >>> import cinta as tf
    >>> tf.compat.v1.clip_by_average_norm([3.0, 4.0], 0.5).numpy()
    array([0.6, 0.8], dtype=float32)

    Args:
        t: A tensor of floats.
        clip_norm: The limit of the norm by the number of elements.
    """
    values = tensor_of("Sqrt", t, REAL_FLOATING)
    limit = as_tensor(clip_norm, values._array.dtype)
    length = reduce_euclidean_norm(values, keepdims=True)
    inverse: Tensor = Reciprocal(length) * values._array.size
    return values * limit * minimum(inverse, 1 / limit)


@public("clip_by_global_norm")
def clip_by_global_norm(
    t_list: Sequence[NumericLike | None],
    clip_norm: NumericLike,
    use_norm: NumericLike | None = None,
    name: str | None = None,
) -> tuple[list[Gradient | None], Tensor]:
    """The tensors, scaled down by one factor where their global norm exceeds ``clip_norm``.

    Returns them as a list, and the global norm. If that is infinite or nan, so is everything.

    >>> import cinta as tf
    >>> clipped, length = tf.clip_by_global_norm([tf.constant([3.0]), tf.constant([4.0])], 1.0)
    >>> [t.numpy().tolist() for t in clipped], length.numpy()
    ([[0.6000000238418579], [0.800000011920929]], np.float32(5.0))

    Args:
        t_list: A list or tuple of tensors or ``tf.IndexedSlices``; None stays None.
        clip_norm: The largest global norm that is left as it is.
        use_norm: The global norm, if it is known already.

    Raises:
        TypeError: If ``t_list`` is a single tensor.
    """
    length = global_norm(t_list) if use_norm is None else as_tensor(use_norm)
    limit = as_tensor(clip_norm, length._array.dtype)
    # length - length is 0, and nan where the length is not finite
    scale = limit * minimum(reciprocal(length), 1 / limit) + (length - length)
    return [_scaled(t, scale) for t in sequence_of(t_list)], length


def _scaled(t: NumericLike | None, scale: Tensor) -> Gradient | None:
    if t is None:
        return None
    if isinstance(t, IndexedSlices):
        return t.with_values(t.values * cast(scale, t.values.dtype))
    x = as_tensor(t)
    return x * cast(scale, x.dtype)
