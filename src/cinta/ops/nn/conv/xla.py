"""Convolution and its two transposes where XLA compiles them: it has them all as one of its own.

Only called with arrays of JAX, so JAX is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....engine.shapes import Shape

if TYPE_CHECKING:
    from ....engine.tensor import Array
    from ..sliding_windows import Window


def correlate(input: Array, filter: Array, window: Window) -> Array:
    """The sum of what each window sees of the image, weighted by the filter."""
    axes = _axes(window)
    return _general(
        input,
        filter,
        window.strides,
        window.padding,
        rhs_dilation=window.dilations,
        dimension_numbers=(f"N{axes}C", f"{axes}IO", f"N{axes}C"),
    )


def to_filter(input: Array, out_backprop: Array, window: Window) -> Array:
    """The filter's member of the family. Images and channels swap roles, as do strides and
    dilations."""
    axes = _axes(window)
    whole = _general(
        input,
        out_backprop,
        window.dilations,
        window.padding,
        rhs_dilation=window.strides,
        dimension_numbers=(f"C{axes}N", f"I{axes}O", f"{axes}NC"),
    )
    return whole[tuple([slice(k) for k in window.size])]


def to_input(out_backprop: Array, filter: Array, lengths: Shape, window: Window) -> Array:
    """The image's member of the family: a correlation with the reversed filter, of the result with
    zeros between its elements."""
    axes = _axes(window)
    count = len(axes)
    padding = []
    results = out_backprop.shape[1:-1]
    spans = window.spans()
    for axis, length in enumerate(lengths):
        reach = spans[axis] - 1
        before = reach - window.padding[axis][0]
        spread = (results[axis] - 1) * window.strides[axis] + 1
        padding.append((before, length + reach - before - spread))
    return _general(
        out_backprop,
        filter[(slice(None, None, -1),) * count],
        (1,) * count,
        padding,
        lhs_dilation=window.strides,
        rhs_dilation=window.dilations,
        dimension_numbers=(f"N{axes}C", f"{axes}OI", f"N{axes}C"),
    )


def _axes(window: Window) -> str:
    return "012"[: len(window.size)]


def _general(*arguments: Any, **options: Any) -> Array:
    from jax.lax import conv_general_dilated

    result: Array = conv_general_dilated(*arguments, **options)  # type: ignore[assignment]
    return result
