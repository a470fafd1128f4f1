"""Depthwise convolution and its two transposes: ops and rules.

In these ops the results of a channel's filters have an axis of their own, the last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.halves import converted
from ....engine.op import op
from ....engine.primitives import SumTo
from ....engine.shapes import Shape
from ....engine.summing import accumulator
from ..sliding_windows import Window, folded, padded, unfolded
from . import numpy as kernels

if TYPE_CHECKING:
    from ....engine.annotations import ArrayModule, BasicIndex
    from ....engine.tensor import Array, Tensor


@op("DepthwiseConv2dNative", linear=True, rowwise=True)
def DepthwiseConv2dNative(xp: ArrayModule, input: Array, filter: Array, *, window: Window) -> Array:
    """The sum of each window's elements of a channel, weighted by each of the channel's filters."""
    wide = accumulator(input.dtype)
    image, weights = converted(input, wide), converted(filter, wide)
    if _is_simple(xp, image, 4, weights) and kernels.takes(image, window):
        result = kernels.correlate(image, weights, window)
    else:
        seen = unfolded(xp, padded(xp, image, window.padding), window)
        result = xp.einsum("...nhwijc,...ijcm->...nhwcm", seen, weights)
    return converted(result, input.dtype)


def _is_simple(xp: ArrayModule, first: Array, rank: int, second: Array) -> bool:
    """Whether the faster kernels do: for arrays of these ranks that are not empty."""
    bare = first.ndim == rank and second.ndim == 4
    return bool(xp is np and bare and first.size and second.size)


@op("DepthwiseConv2dNativeBackpropInput", linear=True, rowwise=True)
def DepthwiseToInput(
    xp: ArrayModule, out_backprop: Array, filter: Array, *, lengths: Shape, window: Window
) -> Array:
    """The transpose for the image: the filters added at each window, weighted by the result."""
    wide = accumulator(filter.dtype)
    given, weights = converted(out_backprop, wide), converted(filter, wide)
    if window.strides == (1, 1) and _is_simple(xp, given, 5, weights):
        return kernels.to_input(given, weights, lengths, window).astype(filter.dtype, copy=False)

    def piece(place: Shape) -> Array:
        index: BasicIndex = (..., *place, slice(None), slice(None))
        there = weights[index]
        return xp.einsum("...nhwcm,...cm->...nhwc", given, there)

    return folded(xp, piece, lengths, window).astype(filter.dtype, copy=False)


@op("DepthwiseConv2dNativeBackpropFilter", linear=True, rowwise=True)
def DepthwiseToFilter(
    xp: ArrayModule, input: Array, out_backprop: Array, *, window: Window
) -> Array:
    """The transpose for the filters: the sum of the windows' elements, weighted by the result."""
    wide = accumulator(input.dtype)
    image, given = converted(input, wide), converted(out_backprop, wide)
    if _is_simple(xp, given, 5, image) and kernels.takes(image, window):
        result = kernels.to_filter(image, given, window)
    else:
        seen = unfolded(xp, padded(xp, image, window.padding), window)
        result = xp.einsum("...nhwijc,...nhwcm->...ijcm", seen, given)
    return converted(result, input.dtype)


def _summed(d: Tensor, shape: Shape, rank: int, out_shape: Shape, out_rank: int) -> Tensor:
    """The gradient for an input of this shape, of an op whose result may have axes in front that
    this input had not. The ranks are those without any such axes.
    """
    return SumTo(d, shape=shape, rank=rank + len(out_shape) - out_rank)


DepthwiseConv2dNative.grads(
    input=lambda g, filter, input_shape, out_shape, window: _summed(
        DepthwiseToInput(g, filter, lengths=input_shape[-3:-1], window=window),
        *(input_shape, 4, out_shape, 5),
    ),
    filter=lambda g, input, filter_shape, out_shape, window: _summed(
        DepthwiseToFilter(input, g, window=window), filter_shape, 4, out_shape, 5
    ),
)
DepthwiseToInput.grads(
    out_backprop=lambda g, filter, out_backprop_shape, out_shape, window: _summed(
        DepthwiseConv2dNative(g, filter, window=window), out_backprop_shape, 5, out_shape, 4
    ),
    filter=lambda g, out_backprop, filter_shape, out_shape, window: _summed(
        DepthwiseToFilter(g, out_backprop, window=window), filter_shape, 4, out_shape, 4
    ),
)
DepthwiseToFilter.grads(
    input=lambda g, out_backprop, input_shape, out_shape, window: _summed(
        DepthwiseToInput(out_backprop, g, lengths=input_shape[-3:-1], window=window),
        *(input_shape, 4, out_shape, 4),
    ),
    out_backprop=lambda g, input, out_backprop_shape, out_shape, window: _summed(
        DepthwiseConv2dNative(input, g, window=window), out_backprop_shape, 5, out_shape, 4
    ),
)
