"""Norms of vectors and matrices, and tensors brought to norm 1."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import finfo
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import FLOATING, NUMERIC, REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.indexed_slices import IndexedSlices
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.shapes import with_ones, without
from ...engine.summing import Axes, accumulator, summed
from ...engine.tensor import look, seen
from ...public import public
from ..arguments import axes_from_right, flag, number, tensor_of
from ..arrays.shaping import transpose
from ..elementwise.arithmetic import maximum
from ..elementwise.casting import cast
from ..elementwise.complex_numbers import complex as complex_of
from ..elementwise.complex_numbers import conj, real
from ..elementwise.guarded import MulNoNan
from ..elementwise.powers import pow
from ..elementwise.unary import abs, rsqrt, sqrt
from ..linalg.decompositions import SingularValues
from .reduction import Spread, reduce_max, reduce_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule, AxisLike, IntLike, NumericLike
    from ...engine.tensor import Array, Tensor


# -- powers that are out of range --------------------------------------------------------------


def powers_fit(norms: Array, power: float) -> bool:
    """Whether the powers of numbers that have these norms, and of smaller ones, are in range."""
    return bool(np.all(_that_fit(np, norms, power)))


def _that_fit(xp: ArrayModule, norms: Array, power: float) -> Array:
    info = finfo(norms.real.dtype)
    with np.errstate(all="ignore"):
        low = np.power(float(info.smallest_normal / info.eps), 1 / power)
        high = np.power(float(info.max), 1 / power) / 2
    lengths = xp.absolute(norms)
    result: Array = (lengths >= low) & (lengths <= high)
    return result


def scale_of(x: Array, axis: Axes, xp: ArrayModule = np) -> Array:
    """A divisor that brings the powers of the largest numbers into range."""
    largest = xp.absolute(x).max(axis=axis, keepdims=True, initial=0)
    scale: Array = xp.where((largest > 0) & xp.isfinite(largest), largest, largest.dtype.type(1))
    return scale


def in_scale(
    function: Callable[..., Tensor], x: Tensor, axis: object, keepdims: bool, power: float = 2
) -> Tensor:
    """A norm; if the powers it is made of are out of range, that of x in its own scale.

    The scale is a constant: as norms grow in proportion, all derivatives are right with it.
    """
    result = function(x, axis, keepdims)
    if look(result, partial(powers_fit, power=power)):
        return result
    axes = axes_from_right("EuclideanNorm", axis, x._array.ndim)
    scale = scale_of(seen(x), axes)
    scaled = function(x / scale.astype(x._array.dtype), axis, keepdims)
    back: Tensor = scaled * scale.reshape(scaled._array.shape).astype(scaled._array.dtype)
    return back


# -- the Euclidean norm ------------------------------------------------------------------------


@op("EuclideanNorm", rowwise=True)
def EuclideanNorm(xp: ArrayModule, x: Array, *, axis: Axes, keepdims: bool) -> Array:
    """The root of the sum of squares over axes that are counted from the right."""
    # squares of integers would overflow
    wide = x.astype(np.float64 if x.dtype.kind in "iu" else accumulator(x.dtype), copy=False)
    out = xp.sqrt(summed(xp, xp.square(wide), axis, keepdims))
    if xp is not np or not powers_fit(out, 2):
        scale = scale_of(wide, axis, xp)
        scaled = xp.sqrt(summed(xp, xp.square(wide / scale), axis, keepdims))
        scaled = scaled * scale.reshape(scaled.shape)
        out = scaled if xp is np else xp.where(_that_fit(xp, out, 2), out, scaled)
    return out.astype(x.dtype, copy=False)


# the norm has no derivative at 0, but what does not reach the target counts for nothing
EuclideanNorm.grads(
    x=lambda g, x, x_shape, out, axis, keepdims: MulNoNan(
        x * Spread(1 / out, shape=x_shape, axis=axis, keepdims=keepdims),
        Spread(g, shape=x_shape, axis=axis, keepdims=keepdims),
    )
)


@public("math.reduce_euclidean_norm")
def reduce_euclidean_norm(
    input_tensor: NumericLike,
    axis: AxisLike | None = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Tensor:
    """The square root of the sum of squares along axes.

    >>> import cinta as tf
    >>> tf.math.reduce_euclidean_norm([3.0, 4.0]).numpy()
    np.float32(5.0)

    Args:
        input_tensor: A tensor of numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        keepdims: Whether to keep the reduced axes, with length 1.
    """
    x = tensor_of("EuclideanNorm", input_tensor, NUMERIC)
    if x._array.dtype.kind == "c":
        return in_scale(_complex_norm, x, axis, bool(keepdims))
    axes = axes_from_right("EuclideanNorm", axis, x._array.ndim)
    return on_one(EuclideanNorm, x, axis=axes, keepdims=flag(keepdims, "keepdims"))


def _complex_norm(x: Tensor, axis: int | None, keepdims: bool) -> Tensor:
    return sqrt(reduce_sum(x * conj(x), axis, keepdims))


# -- vectors and matrices ----------------------------------------------------------------------


@public("linalg.norm", "norm")
def norm(
    tensor: NumericLike,
    ord: object = "euclidean",
    axis: AxisLike | None = None,
    keepdims: bool | None = None,
    name: str | None = None,
) -> Tensor:
    """The norm of vectors along an axis, of matrices along two, or of all elements as a vector.

    >>> import cinta as tf
    >>> x = tf.constant([[3.0, 4.0], [6.0, 8.0]])
    >>> tf.norm(x, axis=1).numpy()
    array([ 5., 10.], dtype=float32)
    >>> tf.norm(x, ord=1, axis=[0, 1]).numpy()
    np.float32(12.0)

    Args:
        tensor: A tensor of floats or complex numbers.
        ord: For vectors "euclidean", a positive number or np.inf; for matrices "euclidean",
            "fro", 1, 2 or np.inf.
        axis: None for all elements as one vector, an int for vectors, two ints for matrices.
        keepdims: Whether to keep the axes that are reduced, with length 1.
        name: Has no effect.

    The gradient of the Euclidean norm at a vector of zeros is nan.

    Raises:
        ValueError: If there is no such norm, or ``axis`` has more than two axes.
    """
    x = tensor_of("Sqrt", tensor, NUMERIC)
    ord = ord if isinstance(ord, str) else number(ord, "ord")
    keep = flag(keepdims, "keepdims")
    if isinstance(axis, (list, tuple)):
        first, second = _two_axes(axis)
        if ord not in ("euclidean", "fro", 1, 2, np.inf):
            raise ValueError(
                "'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got "
                f"{ord}"
            )
        return _matrix_norm(x, ord, first, second, keep)
    if axis is not None and not isinstance(axis, (int, np.integer)):
        raise _wrong_axis(axis)
    if ord == "euclidean":
        return _euclidean(x, axis, keep)
    if isinstance(ord, str) or not ord > 0:
        raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
    return _vector_norm(x, ord, axis, keep)


def _two_axes(axis: Any) -> tuple[int, int]:
    whole = all(isinstance(i, (int, np.integer)) for i in axis)
    if len(axis) != 2 or not whole or axis[0] == axis[1]:
        raise _wrong_axis(axis)
    return int(axis[0]), int(axis[1])


def _wrong_axis(axis: AxisLike) -> ValueError:
    return ValueError(
        f"'axis' must be None, an integer, or a tuple of 2 unique integers, got {axis}"
    )


def _euclidean(x: Tensor, axis: AxisLike | None, keepdims: bool) -> Tensor:
    return reduce_euclidean_norm(tensor_of("Sqrt", x, FLOATING), axis, keepdims)


def _vector_norm(x: Tensor, ord: float, axis: IntLike | None, keepdims: bool) -> Tensor:
    if ord == np.inf:
        return reduce_max(abs(x), axis, keepdims)
    if ord == 1:
        return reduce_sum(abs(x), axis, keepdims)
    if ord == 2:
        return _euclidean(x, axis, keepdims)
    power = float(ord)

    def powered(x: Tensor, axis: int | None, keepdims: bool) -> Tensor:
        return pow(reduce_sum(pow(abs(x), power), axis, keepdims), 1.0 / power)

    return in_scale(powered, x, axis, keepdims, power)


def _matrix_norm(x: Tensor, ord: str | float, first: int, second: int, keepdims: bool) -> Tensor:
    if ord in ("euclidean", "fro"):
        return _euclidean(x, (first, second), keepdims)
    (rows,), (columns,) = [axes_from_right("Sum", axis, x.ndim) for axis in (first, second)]
    if ord == 2:
        result = _largest_singular_value(x, rows, columns)
    elif ord == 1:
        result = reduce_max(reduce_sum(abs(x), rows, True), columns, True)
    else:
        result = reduce_max(reduce_sum(abs(x), columns, True), rows, True)
    shape = (with_ones if keepdims else without)(x._array.shape, (rows, columns))
    return on_one(Reshape, result, shape=shape)


def _largest_singular_value(x: Tensor, rows: int, columns: int) -> Tensor:
    order = [i for i in range(-x.ndim, 0) if i not in (rows, columns)]
    matrices = transpose(x, [i + x.ndim for i in (*order, rows, columns)])
    return reduce_max(on_one(SingularValues, matrices), -1, keepdims=True)


@public("linalg.normalize")
def normalize(
    tensor: NumericLike,
    ord: str = "euclidean",
    axis: AxisLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The tensor divided by its norm, and the norm; the arguments are those of ``tf.norm``.

    >>> import cinta as tf
    >>> unit, length = tf.linalg.normalize([3.0, 4.0])
    >>> unit.numpy(), length.numpy()
    (array([0.6, 0.8], dtype=float32), array([5.], dtype=float32))

    Args:
        tensor: A tensor of floating-point or complex numbers.
        ord: The norm, as for ``tf.norm``.
        axis: The axis of vectors, two for matrices; None for all elements as one vector.
    """
    x = as_tensor(tensor)
    length = cast(norm(x, ord, axis, keepdims=True), x.dtype)
    return x / length, length


@public("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize")
def l2_normalize(
    x: NumericLike,
    axis: AxisLike | None = None,
    epsilon: float = 1e-12,
    name: str | None = None,
    dim: AxisLike | None = None,
) -> Tensor:
    """The tensor divided by its Euclidean norm along axes, which is taken for at least the root
    of ``epsilon``.

    >>> import cinta as tf
    >>> tf.math.l2_normalize([3.0, 4.0]).numpy()
    array([0.6, 0.8], dtype=float32)

    Args:
        x: A tensor of floating-point or complex numbers.
        axis: The axis or axes, counted from the end if negative; None for all.
        epsilon: The least square of a norm.
        dim: The older name of ``axis``.

    Raises:
        ValueError: If both ``axis`` and ``dim`` are given.
    """
    if dim is not None:
        if axis is not None:
            raise ValueError(f"Cannot specify both 'axis' and 'dim', got {axis!r} and {dim!r}.")
        axis = dim
    tensor = tensor_of("Square", x, NUMERIC)
    if tensor._array.dtype.kind == "c":
        squares = reduce_sum(real(tensor * conj(tensor)), axis, True)
        scale = rsqrt(maximum(squares, epsilon))
        return tensor * complex_of(scale, scale * 0)
    squares = reduce_sum(tensor * tensor, axis, True)
    if look(squares, has_infinity):  # the norm is in range, or may be
        axes = axes_from_right("Square", axis, tensor._array.ndim)
        largest = scale_of(seen(tensor), axes)
        tensor = tensor / largest
        squares = reduce_sum(tensor * tensor, axis, True)
        return tensor * rsqrt(maximum(squares, epsilon / largest / largest))
    return tensor * rsqrt(maximum(squares, epsilon))


@public("linalg.global_norm")
def global_norm(t_list: Sequence[Any], name: str | None = None) -> Tensor:
    """The Euclidean norm of all elements of several tensors; None among them counts for nothing.

    >>> import cinta as tf
    >>> tf.linalg.global_norm([tf.constant([3.0]), None, tf.constant([[4.0]])]).numpy()
    np.float32(5.0)

    Args:
        t_list: A list of tensors, ``tf.IndexedSlices`` or None.

    Raises:
        TypeError: If ``t_list`` is a single tensor.
    """
    values = [
        tensor_of("L2Loss", _values(t), REAL_FLOATING) for t in sequence_of(t_list) if t is not None
    ]
    if not values:
        return as_tensor(0.0)
    length = _norm_of_all(values)
    if look(length, partial(powers_fit, power=2)):
        return length
    scale = scale_of(np.stack([np.abs(seen(v)).max(initial=0) for v in values]), (-1,))[0]
    result: Tensor = _norm_of_all([v / scale for v in values]) * scale
    return result


def has_infinity(array: Array) -> bool:
    return bool(np.isinf(array).any())


def _norm_of_all(values: list[Tensor]) -> Tensor:
    squares = [reduce_sum(v * v) for v in values]
    return sqrt(sum(squares[1:], squares[0]))


def sequence_of(t_list: object) -> Sequence[Any]:
    """The list of tensors that a user gave."""
    if not isinstance(t_list, (list, tuple)):
        raise TypeError(f"`t_list` should be a sequence of tensors. Received {type(t_list)}.")
    return t_list


def _values(t: Tensor | IndexedSlices) -> Tensor:
    return t.values if isinstance(t, IndexedSlices) else t
