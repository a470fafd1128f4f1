"""Ops that round numbers to those that few bits can hold, and stay floats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import cinta as tf

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..engine.tensor import Tensor

    Gradient: TypeAlias = Callable[[Tensor], tuple[Tensor | None, ...]]

# -- fake quantization: between two bounds, which are moved so that 0 is one of the numbers ------


def _nudged(low: Tensor, high: Tensor, bits: int, narrow: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The bounds moved a little, so that 0 is one of the numbers in between, and their distance."""
    first, last = float(narrow), 2.0**bits - 1
    step = (high - low) / (last - first)
    zero = first - low / step
    nearest = tf.clip_by_value(tf.floor(zero + 0.5), first, last)
    return (first - nearest) * step, (last - nearest) * step, step


def _rounded(x: Tensor, low: Tensor, high: Tensor, bits: int, narrow: bool) -> Tensor:
    least, most, step = _nudged(low, high, bits, narrow)
    steps = tf.floor((tf.clip_by_value(x, least, most) - least) / step + 0.5)
    return tf.where(tf.equal(low, high), tf.zeros_like(x), steps * step + least)


def _checked(
    op: str, x: Tensor, low: Tensor, high: Tensor, bits: int, channels: bool = False
) -> None:
    if channels and not x.shape.rank:
        raise tf.errors.InvalidArgumentError(f"inputs must be at least rank 1, got {x!r} [Op:{op}]")
    wanted = tf.TensorShape([x.shape[-1]] if channels else [])
    for name, bound in (("min", low), ("max", high)):
        if bound.shape.rank != wanted.rank:
            raise tf.errors.InvalidArgumentError(
                f"{name} must be rank {wanted.rank}, got shape {bound.shape} [Op:{op}]"
            )
        if bound.shape != wanted:
            raise tf.errors.InvalidArgumentError(
                f"{name} has incorrect size: expected {wanted}, got {bound.shape} [Op:{op}]"
            )
    if not 2 <= bits <= 16:
        raise tf.errors.InvalidArgumentError(
            f"num_bits must be between 2 and 16, inclusive, got {bits} [Op:{op}]"
        )
    if tf.reduce_any(low > high):
        raise tf.errors.InvalidArgumentError(
            f"min must be at most max, got {low.numpy()} and {high.numpy()} [Op:{op}]"
        )


def _spread(
    g: Tensor, x: Tensor, low: Tensor, high: Tensor, bits: int, narrow: bool
) -> tuple[Tensor, ...]:
    """The gradients: where a number lies within the bounds it is its own, else it is a bound's."""
    least, most, _ = _nudged(low, high, bits, narrow)
    inside = tf.logical_and(x >= least, x <= most)
    axes = list(range(len(x.shape) - len(low.shape)))

    def total(where: Tensor) -> Tensor:
        return tf.reduce_sum(tf.where(where, g, tf.zeros_like(g)), axis=axes)

    return tf.where(inside, g, tf.zeros_like(g)), total(x < least), total(x > most)


def _fake(
    x: Tensor, low: Tensor, high: Tensor, bits: int, narrow: bool, channels: bool = False
) -> Tensor:
    _checked("FakeQuantWithMinMaxVars", x, low, high, bits, channels)

    @tf.custom_gradient
    def rounded(x: Tensor, low: Tensor, high: Tensor) -> tuple[Tensor, Gradient]:
        def gradient(g: Tensor) -> tuple[Tensor, ...]:
            return _spread(g, x, low, high, bits, narrow)

        return _rounded(x, low, high, bits, narrow), gradient

    return rounded(x, low, high)


def _fake_by_numbers(x: Tensor, low: float, high: float, bits: int, narrow: bool) -> Tensor:
    return _fake(x, tf.constant(low), tf.constant(high), bits, narrow)


def _gradient(
    g: Tensor,
    x: Tensor,
    low: Tensor,
    high: Tensor,
    bits: int,
    narrow: bool,
    channels: bool = False,
) -> tuple[Tensor, ...]:
    _checked("FakeQuantWithMinMaxVarsGradient", x, low, high, bits, channels)
    return _spread(g, x, low, high, bits, narrow)


def _gradient_by_numbers(
    g: Tensor, x: Tensor, low: float, high: float, bits: int, narrow: bool
) -> Tensor:
    return _gradient(g, x, tf.constant(low), tf.constant(high), bits, narrow)[0]


# -- quantized and back --------------------------------------------------------------------------


def _wide(bound: Tensor, x: Tensor, axis: int) -> Tensor:
    """One bound for each place along an axis, as it is broadcast; or one for all."""
    if axis < 0:
        return bound
    return tf.reshape(bound, [-1 if i == axis else 1 for i in range(len(x.shape))])


def _bounds(x: Tensor, low: Tensor, high: Tensor, given: bool, axis: int) -> tuple[Tensor, Tensor]:
    if given:
        return _wide(low, x, axis), _wide(high, x, axis)
    others = [i for i in range(len(x.shape)) if i != axis]
    keep = axis >= 0
    return tf.reduce_min(x, others, keep), tf.reduce_max(x, others, keep)


def _through(
    x: Tensor,
    low: Tensor,
    high: Tensor,
    signed: bool,
    bits: int,
    given: bool,
    mode: str,
    narrow: bool,
) -> Tensor:
    """The nearest multiples of a step, which is the smallest that reaches both bounds.

    Bounds that are given hold; those that are found of the numbers have none outside of them, but
    for negative numbers where only positive ones are expected: these stay. The step has
    a quotient of its own: one by the scale would be rounded twice.
    """
    if not 0 < bits < (62 if signed else 63):  # TensorFlow's bounds, which 64 bits can hold
        raise tf.errors.InvalidArgumentError(
            f"num_bits is out of range: {bits} with signed_input {signed}"
        )
    least = float(-(2 ** (bits - 1)) + narrow if signed else 0)
    most = float(2 ** (bits - 1) - 1 if signed else 2**bits - 1)
    by_low = tf.where(
        least * low > 0, least / tf.where(low == 0, tf.ones_like(low), low), x.dtype.max
    )
    by_high = tf.where(
        most * high > 0, most / tf.where(high == 0, tf.ones_like(high), high), x.dtype.max
    )
    scale = tf.minimum(by_low, by_high)
    known = scale < x.dtype.max
    step = tf.where(by_low < by_high, low / (least or 1.0), high / (most or 1.0))
    step = tf.where(known, step, tf.zeros_like(step))
    held = tf.clip_by_value(x, least * step, most * step) if given else x
    steps = held * tf.where(known, scale, tf.ones_like(scale))
    whole = tf.round(steps) if mode == "HALF_TO_EVEN" else tf.floor(steps + 0.5)
    return tf.where(known, whole * step, held)


def _back(
    x: Tensor,
    low: Tensor,
    high: Tensor,
    signed: bool,
    bits: int,
    given: bool,
    mode: str,
    narrow: bool,
    axis: int,
    *,
    clipped: bool = False,
) -> Tensor:
    """The gradient is that of the identity; where ``clipped``, only inside of the bounds."""

    @tf.custom_gradient
    def rounded(x: Tensor, low: Tensor, high: Tensor) -> tuple[Tensor, Gradient]:
        def gradient(g: Tensor) -> tuple[Tensor | None, ...]:
            return _gradient_inside(g, x, low, high, axis) if clipped else (g, None, None)

        bounds = _bounds(x, low, high, given, axis)
        return _through(x, *bounds, signed, bits, given, mode, narrow), gradient

    return rounded(x, low, high)


def _back_v3(
    x: Tensor,
    low: Tensor,
    high: Tensor,
    bits: Tensor,
    signed: bool,
    given: bool,
    narrow: bool,
    axis: int,
) -> Tensor:
    return _back(x, low, high, signed, int(bits), given, "HALF_TO_EVEN", narrow, axis)


def _gradient_inside(
    g: Tensor, x: Tensor, low: Tensor, high: Tensor, axis: int
) -> tuple[Tensor, Tensor, Tensor]:
    inside = tf.logical_and(x >= _wide(low, x, axis), x <= _wide(high, x, axis))
    return tf.where(inside, g, tf.zeros_like(g)), tf.zeros_like(low), tf.zeros_like(high)


OPS: dict[str, Callable[..., Any]] = {
    "FakeQuantWithMinMaxArgs": _fake_by_numbers,
    "FakeQuantWithMinMaxArgsGradient": _gradient_by_numbers,
    "FakeQuantWithMinMaxVars": _fake,
    "FakeQuantWithMinMaxVarsGradient": _gradient,
    "FakeQuantWithMinMaxVarsPerChannel": partial(_fake, channels=True),
    "FakeQuantWithMinMaxVarsPerChannelGradient": partial(_gradient, channels=True),
    "QuantizeAndDequantizeV2": _back,
    "QuantizeAndDequantizeV3": _back_v3,
    "QuantizeAndDequantizeV4": partial(_back, clipped=True),
    "QuantizeAndDequantizeV4Grad": _gradient_inside,
}
