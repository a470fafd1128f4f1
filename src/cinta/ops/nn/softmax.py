"""Softmax and its logarithm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.c_kernels import compiled, fits
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.halves import converted
from ...engine.op import Op, op
from ...engine.parallel import exponentials
from ...engine.summing import accumulator, summed
from ...public import public
from ..arguments import axis_from_right, tensor_of
from ..elementwise.unary import Exp
from ..reductions.extremes import largest
from ..reductions.reduction import Sum, log_of_sum
from .compiled_rows import over_rows

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


LEAST, MOST = 1e-3, 1e15
"""Sums of exponentials in this range are as precise as those of numbers less their maximum."""


@op("Softmax", rowwise=True)
def Softmax(xp: ArrayModule, logits: Array, *, axis: int) -> Array:
    """Exponentials divided by their sum along an axis."""
    powers, total, _ = Exponentials.kernel(xp, logits, axis=axis)
    shares = np.divide(powers, total, out=powers) if xp is np else powers / total
    result: Array = converted(shares, logits.dtype)
    return result


@op("Exponentials", rowwise=True)
def Exponentials(xp: ArrayModule, logits: Array, *, axis: int) -> tuple[Array, Array, Array]:
    """Exponentials, their sum along an axis, and what was subtracted from the logits before.

    Nothing is where all of them are moderate, which saves two of five passes over memory. Logits
    in half precision become float32: sums of many of them need it.
    """
    wide = converted(logits, accumulator(logits.dtype))
    if xp is np:
        if _exponentials is not None and axis == -1 and fits(wide) and wide.size:
            return _by_rows(wide)
        powers = exponentials(wide)
        total = summed(np, powers, (axis,), True)
        if total.size and total.min() >= LEAST and total.max() <= MOST:
            return powers, total, np.zeros(total.shape, total.dtype)
    top = largest(xp, wide, (axis,), True)
    powers = exponentials(wide - top) if xp is np else xp.exp(wide - top)
    return powers, summed(xp, powers, (axis,), True), top


_exponentials = compiled("exponentials")
SHARE = 1 << 16
"""Elements whose exponentials take far longer than a thread takes to start."""


def _by_rows(logits: Array) -> tuple[Array, Array, Array]:
    """The same by the compiled function, which goes over each row while it is in the cache."""
    assert _exponentials is not None
    powers = np.empty_like(logits, order="C")
    total, top = (np.empty((*logits.shape[:-1], 1), logits.dtype) for _ in range(2))
    width = logits.shape[-1]
    results = powers.reshape(-1, width), total.reshape(-1), top.reshape(-1)
    over_rows(_exponentials, [logits.reshape(-1, width)], results, share=SHARE)
    return powers, total, top


@op("SoftmaxGrad", broadcasts=True, elementwise=False)
def SoftmaxGrad(xp: ArrayModule, gradients: Array, softmax: Array, *, axis: int) -> Array:
    """softmax * (gradients - sum(gradients * softmax))."""
    wide = accumulator(softmax.dtype)
    if wide != softmax.dtype:
        given = converted(gradients, wide), converted(softmax, wide)
        return converted(SoftmaxGrad.kernel(xp, *given, axis=axis), softmax.dtype)
    if xp is np and axis == -1 and softmax.dtype.char in "fd" and gradients.dtype == softmax.dtype:
        if _compiled_gradient is not None and _are_rows(gradients, softmax):
            return _gradient_by_rows(gradients, softmax)
        common = np.vecdot(gradients, softmax)[..., None]
    else:
        common = summed(xp, gradients * softmax, (axis,), True)
    below: Array = gradients - common
    return np.multiply(below, softmax, out=below) if xp is np else below * softmax


_compiled_gradient = compiled("softmax_gradient")


def _are_rows(*arrays: Array) -> bool:
    """Whether these are arrays of one shape that the compiled function takes."""
    first = arrays[0]
    return fits(*arrays) and all(
        each.shape == first.shape and each.flags.c_contiguous and each.size for each in arrays
    )


def _gradient_by_rows(gradients: Array, softmax: Array) -> Array:
    assert _compiled_gradient is not None
    result = np.empty_like(softmax)
    rows = [each.reshape(-1, softmax.shape[-1]) for each in (gradients, softmax, result)]
    over_rows(_compiled_gradient, rows[:2], rows[2:], share=2 * SHARE)
    return result


@op("LogSoftmax", rowwise=True)
def LogSoftmax(xp: ArrayModule, logits: Array, *, axis: int) -> Array:
    """The logarithm of the softmax, exact where that would be 0."""
    below = below_maximum(xp, logits, axis)
    return converted(below - log_of_sum(xp, below, (axis,)), logits.dtype)


@op("LogSoftmaxGrad", broadcasts=True, elementwise=False)
def LogSoftmaxGrad(xp: ArrayModule, gradients: Array, log_softmax: Array, *, axis: int) -> Array:
    """gradients - sum(gradients) * softmax.

    Where the softmax is close to 1, it is taken from the sum of the other gradients.
    """
    total = gradients.sum(axis=axis, keepdims=True)
    result: Array = gradients - total * xp.exp(log_softmax)
    if xp is np:
        top = np.broadcast_to(log_softmax > -0.5, result.shape)
        if top.any():
            log = np.broadcast_to(log_softmax, result.shape)[top]
            all_, own = np.broadcast_to(total, result.shape)[top], gradients[top]
            result[top] = (own - all_) - all_ * np.expm1(log)
    return result


def below_maximum(xp: ArrayModule, logits: Array, axis: int) -> Array:
    """Logits less their maximum along an axis, so that no exponential is infinite."""
    wide = converted(logits, accumulator(logits.dtype))
    return wide - largest(xp, wide, (axis,), True)


Exponentials.no_grad()
Softmax.grads(logits=lambda g, out, axis: SoftmaxGrad(g, out, axis=axis))
SoftmaxGrad.grads(
    gradients=lambda g, softmax, axis: SoftmaxGrad(g, softmax, axis=axis),
    softmax=lambda g, gradients, softmax, axis: (
        g * (gradients - _sum(gradients * softmax, axis)) - gradients * _sum(g * softmax, axis)
    ),
)
LogSoftmax.grads(logits=lambda g, out, axis: LogSoftmaxGrad(g, out, axis=axis))
LogSoftmaxGrad.grads(
    gradients=lambda g, log_softmax, axis: g - _sum(g * Exp(log_softmax), axis),
    log_softmax=lambda g, gradients, log_softmax, axis: (
        -g * _sum(gradients, axis) * Exp(log_softmax)
    ),
)


def _sum(x: Tensor, axis: int) -> Tensor:
    return Sum(x, axis=(axis,), keepdims=True)


@public("math.softmax", "nn.softmax")
def softmax(logits: NumericLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """Exponentials divided by their sum along an axis, the last one if none is given.

    >>> import cinta as tf
    >>> tf.nn.softmax([1000.0, 1000.0]).numpy()
    array([0.5, 0.5], dtype=float32)

    Args:
        logits: A tensor of floating-point numbers.
        axis: The axis, counted from the end if negative.

    Raises:
        InvalidArgumentError: If ``logits`` holds no floats, or there is no such axis.
    """
    return _along_axis(Softmax, logits, axis)


@public("math.log_softmax", "nn.log_softmax")
def log_softmax(logits: NumericLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """The logarithm of the softmax along an axis, the last one if none is given.

    >>> import cinta as tf
    >>> tf.nn.log_softmax([0.0, 1000.0]).numpy()
    array([-1000.,     0.], dtype=float32)

    Args:
        logits: A tensor of floating-point numbers.
        axis: The axis, counted from the end if negative.
    """
    return _along_axis(LogSoftmax, logits, axis)


def _along_axis(op: Op, logits: NumericLike, axis: int | None) -> Tensor:
    x = tensor_of(op.name, logits, REAL_FLOATING)
    axis = -1 if axis is None else axis
    return on_one(op, x, axis=axis_from_right(op.name, axis, x.ndim))
