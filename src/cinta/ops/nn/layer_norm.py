"""Layer, group and RMS normalization: an op, with one op as its gradient.

    h = (x - M(x)) f    f = 1 / sqrt(M((x - M(x))^2) + epsilon)    out = h scale + offset
    P(u) = f (u - M(u) - h M(u h))    dx = P(g scale)    dscale = sum(g h)    doffset = sum(g)

M is the mean over the axes, which is left out of ``centered=False`` (RMS) where it is not that of
a square or product. Statistics and weights are float32 where x is in half precision.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.broadcasting import BroadcastTo, SumTo, lead
from ...engine.c_kernels import fits
from ...engine.halves import converted
from ...engine.op import op
from ...engine.primitives import Cast, Square
from ...engine.summing import Axes, accumulator, count, summed
from ...engine.tensor import unwatched
from ..elementwise.unary import Rsqrt
from ..reductions.moments import Variance
from ..reductions.reduction import Mean
from .normalized_rows import (
    all_at_once,
    are_compiled_rows,
    are_rows,
    compiled_gradients,
    gradients,
    normalized,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array, Tensor


def layer_norm(
    x: Tensor, scale: Tensor, offset: Tensor, *, axis: Axes, epsilon: float, centered: bool = True
) -> Tensor:
    """x with mean 0 and variance 1 along axes, counted from the right; then scaled and moved.

    ``scale`` and ``offset`` have one shape, which x may broadcast, and the accumulator's dtype.
    """
    options: dict[str, Any] = {"axis": axis, "epsilon": epsilon, "centered": centered}
    found = LayerNormParts(unwatched(x), unwatched(scale), unwatched(offset), **options)
    result: Tensor = LayerNorm(x, scale, offset, *found, **options)
    return result


@op("LayerNormParts")
def LayerNormParts(
    xp: ArrayModule,
    x: Array,
    scale: Array,
    offset: Array,
    *,
    axis: Axes,
    epsilon: float,
    centered: bool,
) -> tuple[Array, Array, Array]:
    """The result, the means along axes, and what differences from them were multiplied by."""
    wide = converted(x, accumulator(x.dtype))
    if xp is np and axis == (-1,) and are_compiled_rows(wide, scale, offset):
        out, mean, factor = all_at_once(wide, scale, offset, epsilon, centered=centered)
        return converted(out, x.dtype), mean, factor
    mean, factor = _statistics(xp, wide, axis, epsilon, centered)
    rows = _rows(xp, axis, wide, mean, factor, scale, offset)
    if rows is not None:
        out = normalized(*rows).reshape(x.shape)
    else:
        out = (wide - mean) * factor * scale + offset
    return converted(out, x.dtype), mean, factor


def _statistics(
    xp: ArrayModule, x: Array, axis: Axes, epsilon: float, centered: bool
) -> tuple[Array, Array]:
    if centered:
        mean = summed(xp, x, axis, True) / count(x.shape, axis)
    else:
        rank = len(x.shape)
        mean = xp.zeros([1 if i - rank in axis else n for i, n in enumerate(x.shape)], x.dtype)
    variance = Variance.kernel(xp, x, mean, axis=axis)
    return mean, 1 / xp.sqrt(variance + x.dtype.type(epsilon))


@op("LayerNorm")
def LayerNorm(
    xp: ArrayModule,
    x: Array,
    scale: Array,
    offset: Array,
    normalized: Array,
    mean: Array,
    factor: Array,
    *,
    axis: Axes,
    epsilon: float,
    centered: bool,
) -> Array:
    """The result of `LayerNormParts`: for tapes the one op between x and the result.

    The parts are results of their own because the gradient needs the statistics, and because
    they are made in one pass over memory.
    """
    return normalized


@op("LayerNormGrad")
def LayerNormGrad(
    xp: ArrayModule,
    given: Array,
    x: Array,
    mean: Array,
    factor: Array,
    scale: Array,
    *,
    axis: Axes,
    epsilon: float,
    centered: bool,
) -> tuple[Array, Array, Array]:
    """The gradients by x, scale and offset."""
    g, wide = converted(given, mean.dtype), converted(x, mean.dtype)
    if xp is np and axis == (-1,) and are_compiled_rows(wide, scale) and fits(g):
        g = np.ascontiguousarray(g)
        made = compiled_gradients(g, wide, mean, factor, scale, centered=centered)
        return converted(made[0], x.dtype), made[1], made[2]
    rows = _rows(xp, axis, wide, mean, factor, scale)
    if rows is not None:
        found = gradients(np.ascontiguousarray(g), *rows, centered=centered)
        by_x, by_scale, by_offset = (
            each.reshape(shape)
            for each, shape in zip(found, (x.shape, scale.shape, scale.shape), strict=True)
        )
    else:
        n, own, normal = count(x.shape, axis), g * scale, (wide - mean) * factor
        by_x = own - normal * (summed(xp, own * normal, axis, True) / n)
        if centered:
            by_x = by_x - summed(xp, own, axis, True) / n
        by_x, rank = by_x * factor, len(x.shape)
        by_scale = SumTo.kernel(xp, g * normal, shape=scale.shape, rank=rank)
        by_offset = SumTo.kernel(xp, g, shape=scale.shape, rank=rank)
    return converted(by_x, x.dtype), by_scale, by_offset


def _rows(
    xp: ArrayModule, axis: Axes, x: Array, mean: Array, factor: Array, *weights: Array
) -> tuple[Array, ...] | None:
    """The arguments with the axes as one, if they are the last and a fast kernel takes it."""
    number = len(axis)
    if xp is not np or not x.size or axis != tuple(range(-number, 0)):
        return None
    shape = x.shape[-number:]
    if not x.flags.c_contiguous or any([each.shape != shape for each in weights]):
        return None
    rows = x.reshape(-1, prod(shape))
    arguments = rows, mean.reshape(-1, 1), factor.reshape(-1, 1), *[w.reshape(-1) for w in weights]
    return arguments if are_rows(*arguments) else None


# -- rules -----------------------------------------------------------------------------------------


def _normalizing(
    x: Tensor, axis: Axes, epsilon: float, centered: bool
) -> tuple[Tensor, Tensor, Callable[[Tensor], Tensor]]:
    """The factor f, the normalized h and the function P of this module's formulas."""

    def mean(u: Tensor) -> Tensor:
        return Mean(u, axis=axis, keepdims=True)

    away = x - mean(x) if centered else x
    f = Rsqrt(mean(Square(away)) + epsilon)
    h = away * f

    def projected(u: Tensor) -> Tensor:
        rest = u - h * mean(u * h)
        return f * (rest - mean(u) if centered else rest)

    return f, h, projected


@LayerNorm.pullback
def _of_layer_norm(
    g: Tensor,
    wanted: Sequence[bool],
    x: Tensor,
    scale: Tensor,
    mean: Tensor,
    factor: Tensor,
    axis: Axes,
    epsilon: float,
    centered: bool,
    x_dtype: np.dtype[Any],
    scale_dtype: np.dtype[Any],
) -> tuple[Any, ...]:
    """The gradient by x is all of it: nothing comes from its statistics by another way."""
    rank = len(x.shape)
    options: dict[str, Any] = {"axis": axis, "epsilon": epsilon, "centered": centered}
    if not lead(g, rank):
        by_x, by_scale, by_offset = LayerNormGrad(g, x, mean, factor, scale, **options)
        return by_x, by_scale, by_offset, None, None, None
    wide = Cast(g, dtype=scale_dtype)
    _, h, projected = _normalizing(Cast(x, dtype=scale_dtype), **options)
    return (
        Cast(projected(wide * scale), dtype=x_dtype),
        SumTo(wide * h, shape=tuple(scale.shape), rank=rank),
        SumTo(wide, shape=tuple(scale.shape), rank=rank),
        *(None, None, None),
    )


@LayerNormGrad.pullback
def _of_gradient(
    g: tuple[Tensor, ...],
    wanted: Sequence[bool],
    given: Tensor,
    x: Tensor,
    scale: Tensor,
    axis: Axes,
    epsilon: float,
    centered: bool,
    x_dtype: np.dtype[Any],
    scale_dtype: np.dtype[Any],
) -> tuple[Any, ...]:
    """The gradient of what the normalization would be along the directions g.

    For the gradient is linear in what is ``given``, and the product of both is
    <given scale, P(a)> + <given, b h + c>. There h moves by P, f by -f^2 M(h u) along u.
    """
    a, b, c = g
    a, own, x = (Cast(each, dtype=scale_dtype) for each in (a, given, x))
    b, c = (BroadcastTo(w, shape=tuple(x.shape), rank=len(scale.shape)) for w in (b, c))
    f, h, projected = _normalizing(x, axis, epsilon, centered)

    def mean(u: Tensor) -> Tensor:
        return Mean(u, axis=axis, keepdims=True)

    scaled, along = own * scale, projected(a)
    by_h = own * b - f * (scaled * mean(a * h) + a * mean(scaled * h))
    by_f = mean(scaled * along)  # the projection of one of both is as good as that of both
    by_x = projected(by_h) - h * f * by_f
    by_given = along * scale + h * b + c
    by_scale = SumTo(own * along, shape=tuple(scale.shape), rank=len(x.shape))
    return Cast(by_given, dtype=x_dtype), Cast(by_x, dtype=x_dtype), None, None, by_scale


LayerNormParts.no_grad()
