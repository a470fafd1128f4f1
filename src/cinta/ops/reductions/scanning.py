"""Scans: running sums, running products, and the linear recurrence behind their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.dtype_kinds import NUMERIC, REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.op import Op, op
from ...public import public
from ..arguments import axis_from_right, flag, tensor_of
from ..elementwise.guarded import MulNoNan
from ..elementwise.unary import Exp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, AxisLike, IntLike, NumericLike
    from ...engine.tensor import Array, Tensor


# -- primitives: all axes are counted from the right -------------------------------------------


def _part(x: Array, axis: int, start: int | None, stop: int | None) -> Array:
    """The elements from start to stop along an axis."""
    return x[(..., slice(start, stop), *[slice(None)] * (-axis - 1))]


@op("Shift", moves=True, linear=False, rowwise=True)
def Shift(xp: ArrayModule, x: Array, *, axis: int, steps: int, fill: float) -> Array:
    """Every element moved one or more places along an axis; what comes in is ``fill``."""
    n = x.shape[axis]
    if abs(steps) >= n:
        return xp.full_like(x, fill)
    filled = xp.full_like(_part(x, axis, 0, abs(steps)), fill)
    if steps > 0:
        return xp.concatenate([filled, _part(x, axis, None, n - steps)], axis=axis)
    return xp.concatenate([_part(x, axis, -steps, None), filled], axis=axis)


@op("Cumsum", linear=True, rowwise=True)
def Cumsum(xp: ArrayModule, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
    """Running sum along an axis, without the element itself if exclusive."""
    return _scan(xp, xp.add, x, axis, exclusive, reverse, 0)


@op("Cumprod", rowwise=True)
def Cumprod(xp: ArrayModule, x: Array, *, axis: int, exclusive: bool, reverse: bool) -> Array:
    """Running product along an axis, without the element itself if exclusive."""
    return _scan(xp, xp.multiply, x, axis, exclusive, reverse, 1)


@op("CumulativeLogsumexp", rowwise=True)
def CumulativeLogsumexp(
    xp: ArrayModule, x: Array, *, axis: int, exclusive: bool, reverse: bool
) -> Array:
    """Running log(sum(exp(x))) along an axis, without overflow."""
    return _scan(xp, xp.logaddexp, x, axis, exclusive, reverse, -np.inf)


def _scan(
    xp: ArrayModule, ufunc: Any, x: Array, axis: int, exclusive: bool, reverse: bool, neutral: float
) -> Array:
    if exclusive:
        x = Shift.kernel(xp, x, axis=axis, steps=-1 if reverse else 1, fill=neutral)
    if reverse:
        x = xp.flip(x, axis=axis)
    half = x.dtype.itemsize == 2 and x.dtype.kind in REAL_FLOATING
    out = ufunc.accumulate(x, axis=axis, dtype=np.float32 if half else x.dtype)
    out = out.astype(x.dtype, copy=False)
    return xp.flip(out, axis=axis) if reverse else out


@op("Rise", broadcasts=True)
def Rise(xp: ArrayModule, x: Array, y: Array) -> Array:
    """x - y, and 0 between equal infinities."""
    return xp.where(x == y, 0, x - y).astype(x.dtype)[()]


@op("LinearRecurrence", broadcasts=True, elementwise=False)
def LinearRecurrence(xp: ArrayModule, a: Array, b: Array, *, axis: int, reverse: bool) -> Array:
    """h with h[i] = a[i] * h[i-1] + b[i] along an axis, from 0; or from the end backwards.

    Where a is 0 the past counts for nothing, even inf or nan. Goes in steps of 1, 2, 4, ...
    elements: as many passes as the length has binary digits.
    """
    a, b = xp.broadcast_arrays(a, b)
    if reverse:
        a, b = xp.flip(a, axis=axis), xp.flip(b, axis=axis)
    n, step = b.shape[axis], 1
    while step < n:
        factor, before = _part(a, axis, step, None), _part(a, axis, None, n - step)
        past = MulNoNan.kernel(xp, _part(b, axis, None, n - step), factor)
        grown = _part(b, axis, step, None) + past
        b = xp.concatenate([_part(b, axis, None, step), grown], axis=axis)
        factor = xp.where(before == 0, 0, MulNoNan.kernel(xp, before, factor))
        a = xp.concatenate([_part(a, axis, None, step), factor], axis=axis)
        step *= 2
    return xp.flip(b, axis=axis) if reverse else b


# -- rules -------------------------------------------------------------------------------------

Shift.grads(x=lambda g, axis, steps: Shift(g, axis=axis, steps=-steps, fill=0.0))
Cumsum.grads(
    x=lambda g, axis, exclusive, reverse: Cumsum(
        g, axis=axis, exclusive=exclusive, reverse=not reverse
    )
)


def recurrence_pullback(g: Tensor, a: Tensor, axis: int, reverse: bool) -> Tensor:
    """The gradient of a recurrence's b: the same recurrence the other way round."""
    following = Shift(a, axis=axis, steps=1 if reverse else -1, fill=0.0)
    return LinearRecurrence(following, g, axis=axis, reverse=not reverse)


@LinearRecurrence.pullback
def _(g: Tensor, wanted: Sequence[bool], a: Tensor, out: Tensor, axis: int, reverse: bool) -> Any:
    d = recurrence_pullback(g, a, axis, reverse)
    if not wanted[0]:
        return None, d
    return d * Shift(out, axis=axis, steps=-1 if reverse else 1, fill=0.0), d


def cumprod_gradient(g: Tensor, x: Tensor, axis: int, exclusive: bool, reverse: bool) -> Tensor:
    """The product of what stands before x[i], times the sum over j of g[j] times what is between.

    Nothing is divided, so zeros do no harm.
    """
    if exclusive:
        g = Shift(g, axis=axis, steps=1 if reverse else -1, fill=0.0)
    before = Cumprod(x, axis=axis, exclusive=True, reverse=reverse)
    return before * recurrence_pullback(g, x, axis, reverse)


def cumulative_logsumexp_gradient(
    g: Tensor, x: Tensor, out: Tensor, axis: int, exclusive: bool, reverse: bool
) -> Tensor:
    """The sum over the results j that x[i] is in of g[j] * exp(x[i] - out[j]), from step to step.

    Results only grow, so from one to the next the sum is multiplied with at most 1.
    """
    back = 1 if reverse else -1
    ratio = Exp(Rise(out, Shift(out, axis=axis, steps=back, fill=np.inf)))
    summed = LinearRecurrence(ratio, g, axis=axis, reverse=not reverse)
    if exclusive:
        summed = Shift(summed, axis=axis, steps=back, fill=0.0)
        out = Shift(out, axis=axis, steps=back, fill=np.inf)
    # an element that nothing depends on has the gradient 0, even if all others are -inf
    return MulNoNan(Exp(x - out), summed)


Rise.grads(x=lambda g: g, y=lambda g: -g)
Cumprod.grads(
    x=lambda g, x, axis, exclusive, reverse: cumprod_gradient(g, x, axis, exclusive, reverse)
)
CumulativeLogsumexp.grads(
    x=lambda g, x, out, axis, exclusive, reverse: cumulative_logsumexp_gradient(
        g, x, out, axis, exclusive, reverse
    )
)


# -- functions ---------------------------------------------------------------------------------


def scanned(
    op: Op,
    value: NumericLike,
    axis: AxisLike,
    exclusive: bool,
    reverse: bool,
    kinds: str,
) -> Tensor:
    """Call a scan on what a user gave; ``kinds`` are the kinds of dtype that it takes."""
    x = tensor_of(op.name, value, kinds)
    index = axis_from_right(op.name, axis, x._array.ndim)
    before, back = flag(exclusive, "exclusive"), flag(reverse, "reverse")
    return on_one(op, x, axis=index, exclusive=before, reverse=back)


@public("cumsum", "math.cumsum")
def cumsum(
    x: NumericLike,
    axis: IntLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Running sum along an axis: from the end if ``reverse``, of what is before if ``exclusive``.

    >>> import cinta as tf
    >>> tf.cumsum([1.0, 2.0, 3.0]).numpy()
    array([1., 3., 6.], dtype=float32)
    >>> tf.cumsum([1.0, 2.0, 3.0], exclusive=True, reverse=True).numpy()
    array([5., 3., 0.], dtype=float32)

    Args:
        x: A tensor of numbers.
        axis: The axis, counted from the end if negative.
        exclusive: Whether each sum leaves out the element at its own place; the first is 0.
        reverse: Whether to add up from the end.
    """
    return scanned(Cumsum, x, axis, exclusive, reverse, NUMERIC)


@public("math.cumprod")
def cumprod(
    x: NumericLike,
    axis: IntLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Running product along an axis; its gradient is right where there are zeros too.

    >>> import cinta as tf
    >>> tf.math.cumprod([1.0, 2.0, 3.0]).numpy()
    array([1., 2., 6.], dtype=float32)

    Args:
        x: A tensor of numbers.
        axis: The axis, counted from the end if negative.
        exclusive: Whether each product leaves out the element at its own place; the first is 1.
        reverse: Whether to multiply from the end.
    """
    return scanned(Cumprod, x, axis, exclusive, reverse, NUMERIC)


@public("math.cumulative_logsumexp")
def cumulative_logsumexp(
    x: NumericLike,
    axis: IntLike = 0,
    exclusive: bool = False,
    reverse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Running log(sum(exp(x))) along an axis, without overflow.

    >>> import cinta as tf
    >>> tf.math.cumulative_logsumexp([0.0, 0.0, 0.0]).numpy()
    array([0.       , 0.6931472, 1.0986123], dtype=float32)

    Args:
        x: A tensor of floating-point numbers.
        axis: The axis, counted from the end if negative.
        exclusive: Whether each result leaves out the element at its own place; the first is -inf.
        reverse: Whether to begin at the end.
    """
    return scanned(CumulativeLogsumexp, x, axis, exclusive, reverse, REAL_FLOATING)
