"""Arrays of numbers that follow each other by a rule: ranges, and powers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ...engine import settings
from ...engine.dtype_kinds import BOOL, NUMERIC
from ...engine.tensor import Tensor, seen, wrap
from ...ops.arguments import (
    axis_from_right,
    common_shape,
    flag,
    tensor_of,
)
from ...ops.arrays.selecting import where
from ...ops.arrays.shaping import expand_dims
from ...ops.elementwise.casting import cast
from ...ops.elementwise.powers import pow
from ...public import public
from .arguments import count, numbered
from .types import asarray, dtype_of, floating, promoted

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, NumericLike


@public("tnp.arange")
def arange(
    start: NumericLike,
    stop: NumericLike | None = None,
    step: NumericLike = 1,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Numbers from ``start`` to before ``stop``, ``step`` apart; from 0 if only one is given.

    >>> import cinta as tf
    >>> tf.experimental.numpy.arange(1, 2, 0.5).numpy()
    array([1. , 1.5])

    Args:
        start: The first number; the end, if it is the only one.
        stop: The end, which is left out.
        step: The distance.
        dtype: The dtype; None for that which the arguments make together.

    Raises:
        ValueError: If the step is 0, or one of them is not a number.
    """
    first, last = (0, start) if stop is None else (start, stop)
    ends: list[Any] = [
        seen(tensor_of("arange", x, NUMERIC + BOOL)) for x in promoted(first, last, step)
    ]
    wanted = ends[0].dtype if dtype is None else dtype_of(dtype)
    if any(end.ndim for end in ends):
        raise ValueError(f"start, stop and step must be numbers, got {start!r}, {stop!r}, {step!r}")
    if not ends[2]:
        raise ValueError("step must be non-zero")
    try:
        numbers = np.arange(*ends)
    except (MemoryError, OverflowError, TypeError, ValueError) as error:  # nan, or too many
        raise ValueError(f"There is no range from {ends[0]} to {ends[1]}: {error}") from None
    return cast(wrap(numbers), wanted)


@overload
def linspace(
    start: NumericLike,
    stop: NumericLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: Literal[False] = False,
    dtype: DTypeLike = float,
    axis: int = 0,
) -> Tensor: ...
@overload
def linspace(
    start: NumericLike,
    stop: NumericLike,
    num: int = 50,
    endpoint: bool = True,
    *,
    retstep: Literal[True],
    dtype: DTypeLike = float,
    axis: int = 0,
) -> tuple[Tensor, Tensor]: ...
@public("tnp.linspace")
def linspace(
    start: NumericLike,
    stop: NumericLike,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike = float,
    axis: int = 0,
) -> Tensor | tuple[Tensor, Tensor]:
    """So many numbers, evenly spaced, from ``start`` to ``stop``; with their distance if
    ``retstep``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.linspace(0, 1, 3).numpy()
    array([0. , 0.5, 1. ])

    Args:
        start: The first number, or an array of them.
        stop: The last number.
        num: How many numbers to give.
        endpoint: Whether ``stop`` is among them.
        retstep: Whether to give the distance as well.
        dtype: The dtype; float or None for that which the ends have as floats together.
        axis: Where the axis of the numbers stands.
    """
    samples, has_end = count(num, "num"), flag(endpoint, "endpoint")
    first, last = _ends(start, stop)
    gaps = samples - 1 if has_end else samples
    step = (last - first) / gaps if gaps > 0 else (last - first) * np.nan
    axes = len(common_shape("linspace", first._array.shape, last._array.shape)) + 1
    along = axis_from_right("linspace", axis, axes) + axes
    places = numbered(samples, "linspace").reshape([-1 if i == along else 1 for i in range(axes)])
    weight = cast(wrap(places), first.dtype)
    spread = first + 0 * last, last + 0 * first
    low, high = [expand_dims(x, along) for x in spread]
    numbers = low + weight * ((high - low) / gaps) if gaps > 0 else low + 0 * weight
    if has_end and gaps > 0:
        numbers = where(places == gaps, high, numbers)  # not what rounding makes of it
    if dtype is not None and dtype is not float:
        numbers = cast(numbers, dtype_of(dtype))
    return (numbers, step) if flag(retstep, "retstep") else numbers


@public("tnp.logspace")
def logspace(
    start: NumericLike,
    stop: NumericLike,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    """So many numbers from ``base**start`` to ``base**stop``, with evenly spaced logarithms.

    >>> import cinta as tf
    >>> tf.experimental.numpy.logspace(0, 2, 3).numpy()
    array([  1.,  10., 100.])

    Args:
        start: The first number, or an array of them.
        stop: The last number.
        num: How many numbers to give.
        endpoint: Whether ``stop`` is among them.
        base: The base of the powers.
        dtype: The dtype; None for that which NumPy gives.
        axis: Where the axis of the numbers stands.
    """
    powers = linspace(start, stop, num, endpoint, axis=axis)
    numbers = pow(cast(asarray(base), powers.dtype), powers)
    return numbers if dtype is None else cast(numbers, dtype_of(dtype))


def _ends(start: NumericLike, stop: NumericLike) -> list[Tensor]:
    """Both ends of a range as floats, or as complex numbers, of the dtype that they have together.

    A float of Python's takes the width of the other end; an integer of a tensor does not.
    """
    if settings.lattice:
        ends = [
            np.multiply(x, 1.0) if isinstance(x, np.ndarray | np.generic) else x
            for x in (start, stop)
        ]
        return promoted(*ends, 1.0)[:2]
    return promoted(
        *[
            x * 1.0 if isinstance(x, int | float | complex) else floating(asarray(x))
            for x in (start, stop)
        ]
    )


@public("tnp.geomspace")
def geomspace(
    start: NumericLike,
    stop: NumericLike,
    num: int = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: int = 0,
) -> Tensor:
    """So many numbers from ``start`` to ``stop``, each the same multiple of the one before.

    >>> import cinta as tf
    >>> tf.experimental.numpy.geomspace(1, 100, 3).numpy()
    array([  1.,  10., 100.])

    Args:
        start: The first number, or an array of them.
        stop: The last number.
        num: How many numbers to give.
        endpoint: Whether ``stop`` is among them.
        dtype: The dtype; None for that which NumPy gives.
        axis: Where the axis of the numbers stands.
    """
    wide = np.zeros((), np.float32 if settings.prefer_float32 else np.float64)
    first, last, _ = promoted(start, stop, wide)
    shares = linspace(0 * (first + last), 0 * (first + last) + 1, num, endpoint, axis=axis)
    low, ratio = expand_dims(first, axis), expand_dims(last / first, axis)
    numbers = low * pow(ratio, shares)
    return cast(numbers, numbers.dtype if dtype is None else dtype_of(dtype))


@public("tnp.vander")
def vander(x: NumericLike, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of each element as a row, the highest first unless they are ``increasing``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.vander([2, 3], 3).numpy()
    array([[4, 2, 1],
           [9, 3, 1]])

    Args:
        x: A vector.
        N: The number of powers; None for as many as there are elements.
        increasing: Whether the power 0 is the first one.

    Raises:
        ValueError: If it is not a vector.
    """
    vector = asarray(x)
    if vector.ndim != 1:
        raise ValueError(f"x must be a one-dimensional array, but it has {vector.ndim} axes.")
    column = vector[:, None]
    powers = numbered(len(column) if N is None else count(N, "N"), "vander")
    if not flag(increasing, "increasing"):
        powers = powers[::-1]
    return pow(column, cast(wrap(powers), column.dtype))
