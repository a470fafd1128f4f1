"""Convolutions in which every channel has filters of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor, kept, match
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.op import Op, op
from ...engine.primitives import Reshape, SumTo
from ...engine.shapes import Shape, written
from ...engine.summing import accumulator
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import tensor_of
from . import depthwise_kernels as kernels
from .convolution import channels_differ, conv2d
from .sliding_windows import (
    Window,
    folded,
    four,
    is_channels_first,
    padded,
    to_channels_first,
    to_channels_last,
    unfolded,
    window_over,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ExplicitPadding, NumericLike, Padding, ShapeLike
    from ...engine.tensor import Array, Tensor


# -- primitives: the results of a channel's filters have an axis of their own, the last ----------


@op("DepthwiseConv2dNative", linear=True)
def DepthwiseConv2dNative(xp: Any, input: Array, filter: Array, *, window: Window) -> Array:
    """What each window sees of a channel, weighted by each of the channel's filters."""
    wide = accumulator(input.dtype)
    image, weights = input.astype(wide, copy=False), filter.astype(wide, copy=False)
    if _is_simple(xp, window, image, 4, weights):
        result = kernels.correlate(image, weights, window)
    else:
        seen = unfolded(xp, padded(xp, image, window.padding), window)
        result = xp.einsum("...nhwijc,...ijcm->...nhwcm", seen, weights)
    return result.astype(input.dtype, copy=False)


def _is_simple(xp: Any, window: Window, first: Array, rank: int, second: Array) -> bool:
    """Whether the faster kernels do: for arrays of these ranks that are not empty."""
    bare = first.ndim == rank and second.ndim == 4
    return bool(xp is np and bare and first.size and second.size and window.strides[1] == 1)


@op("DepthwiseConv2dNativeBackpropInput", linear=True)
def DepthwiseToInput(
    xp: Any, out_backprop: Array, filter: Array, *, lengths: Shape, window: Window
) -> Array:
    """What belongs to the image: the filters laid down at each window, weighted by the result."""
    wide = accumulator(filter.dtype)
    given, weights = out_backprop.astype(wide, copy=False), filter.astype(wide, copy=False)
    if window.strides[0] == 1 and _is_simple(xp, window, given, 5, weights):
        return kernels.to_input(given, weights, lengths, window).astype(filter.dtype, copy=False)

    def piece(place: Shape) -> Array:
        there = weights[(..., *place, slice(None), slice(None))]
        return xp.einsum("...nhwcm,...cm->...nhwc", given, there)

    return folded(xp, piece, lengths, window).astype(filter.dtype, copy=False)


@op("DepthwiseConv2dNativeBackpropFilter", linear=True)
def DepthwiseToFilter(xp: Any, input: Array, out_backprop: Array, *, window: Window) -> Array:
    """What belongs to the filters: the sum of what the windows see, weighted by the result."""
    wide = accumulator(input.dtype)
    image, given = input.astype(wide, copy=False), out_backprop.astype(wide, copy=False)
    if _is_simple(xp, window, given, 5, image):
        result = kernels.to_filter(image, given, window)
    else:
        seen = unfolded(xp, padded(xp, image, window.padding), window)
        result = xp.einsum("...nhwijc,...nhwcm->...ijcm", seen, given)
    return result.astype(input.dtype, copy=False)


def _summed(d: Any, shape: Shape, rank: int, out_shape: Shape, out_rank: int) -> Any:
    """What belongs to an input of this shape, of an op whose result may have axes in front that
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


# -- functions ---------------------------------------------------------------------------------


@public("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: NumericLike,
    filter: NumericLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    data_format: str | None = None,
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve every channel of images with filters ``[height, width, channels, multiplier]``.

    The results of a channel's filters stand side by side: there are channels times multiplier.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(8.0), [1, 2, 2, 2])
    >>> tf.nn.depthwise_conv2d(image, tf.ones([2, 2, 2, 1]), [1] * 4, "VALID").numpy().ravel()
    array([12., 16.], dtype=float32)
    """
    op = DepthwiseConv2dNative
    first = is_channels_first(op.name, data_format, 2)
    x, weights = _operands(op, kept(input), kept(filter))
    x = to_channels_last(x, 2, first)
    _check_channels(op, x._array.shape, x._array.shape[-1], weights._array.shape)
    lengths, size = x._array.shape[1:-1], weights._array.shape[:2]
    window = window_over(
        op.name, lengths, size, four("strides", strides), padding, dilations, first
    )
    return to_channels_first(_side_by_side(op(x, weights, window=window)), 2, first)


@public("nn.depthwise_conv2d_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes: ShapeLike,
    filter: NumericLike,
    out_backprop: NumericLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    dilations: int | Sequence[int] = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` for images of these sizes, from that of the result.

    >>> import cinta as tf
    >>> g, filters = tf.ones([1, 1, 1, 2]), tf.ones([2, 2, 2, 1])
    >>> strides = [1, 1, 1, 1]
    >>> tf.nn.depthwise_conv2d_backprop_input([1, 2, 2, 2], filters, g, strides, "VALID").shape
    TensorShape([1, 2, 2, 2])
    """
    op = DepthwiseToInput
    first = is_channels_first(op.name, data_format, 2)
    weights, given = _operands(op, filter, out_backprop)
    sizes = four("input_sizes", input_sizes)
    lengths, channels = (sizes[2:], sizes[1]) if first else (sizes[1:-1], sizes[-1])
    _check_channels(op, sizes, channels, weights._array.shape)
    window = window_over(
        op.name, lengths, weights._array.shape[:2], strides, padding, dilations, first
    )
    expected = (sizes[0], *window.counts(lengths), *weights._array.shape[-2:])
    results = _apart(op, to_channels_last(given, 2, first), expected)
    return to_channels_first(op(results, weights, lengths=lengths, window=window), 2, first)


@public("nn.depthwise_conv2d_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input: NumericLike,
    filter_sizes: ShapeLike,
    out_backprop: NumericLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    dilations: int | Sequence[int] = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` for filters of these sizes, from that of the result.

    >>> import cinta as tf
    >>> image, g = tf.ones([1, 2, 2, 2]), tf.ones([1, 1, 1, 2])
    >>> strides = [1, 1, 1, 1]
    >>> tf.nn.depthwise_conv2d_backprop_filter(image, [2, 2, 2, 1], g, strides, "VALID").shape
    TensorShape([2, 2, 2, 1])
    """
    op = DepthwiseToFilter
    first = is_channels_first(op.name, data_format, 2)
    x, given = _operands(op, input, out_backprop)
    x = to_channels_last(x, 2, first)
    sizes = four("filter_sizes", filter_sizes)
    _check_channels(op, x._array.shape, x._array.shape[-1], sizes)
    batch, *lengths, _ = x._array.shape
    window = window_over(op.name, lengths, sizes[:2], strides, padding, dilations, first)
    expected = (batch, *window.counts(lengths), *sizes[-2:])
    results = _apart(op, to_channels_last(given, 2, first), expected)
    return op(x, results, window=window)


@public("nn.separable_conv2d")
def separable_conv2d(
    input: NumericLike,
    depthwise_filter: NumericLike,
    pointwise_filter: NumericLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    data_format: str | None = None,
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, and then a mixing of the channels by filters of size 1 by 1.

    >>> import cinta as tf
    >>> image, channels = tf.ones([1, 4, 4, 2]), tf.ones([1, 1, 2, 5])
    >>> tf.nn.separable_conv2d(image, tf.ones([3, 3, 2, 1]), channels, [1] * 4, "SAME").shape
    TensorShape([1, 4, 4, 5])
    """
    mixing = as_tensor(pointwise_filter)
    if tuple(mixing.shape[:2]) != (1, 1):
        raise ValueError(
            f"pointwise_filter must have height and width 1, got shape {mixing.shape}."
        )
    apart = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(apart, mixing, 1, "VALID", data_format or "NHWC")


def _operands(op: Op, first: Any, second: Any) -> tuple[Tensor, Tensor]:
    pair = match(op.name, first, second)
    tensor_of(op.name, pair[0], REAL_FLOATING)
    for argument, tensor in zip(("input", "filter"), pair, strict=True):
        if tensor.ndim != 4:
            raise InvalidArgumentError(
                f"{argument} must be 4-dimensional: {written(tensor._array.shape)} [Op:{op.name}]"
            )
    return pair


def _check_channels(op: Op, image: Shape, channels: int, filters: Shape) -> None:
    depth = filters[-2]
    if channels != depth:
        raise InvalidArgumentError(
            f"input and filter must have the same depth: {channels} vs {depth}: "
            f"{channels_differ(image, channels, filters, depth)} [Op:{op.name}]"
        )


def _side_by_side(results: Tensor) -> Tensor:
    *own, channels, multiplier = results._array.shape
    return Reshape(results, shape=(*own, channels * multiplier))


def _apart(op: Op, results: Tensor, expected: Shape) -> Tensor:
    *own, channels, multiplier = expected
    flat = (*own, channels * multiplier)
    if results._array.shape != flat:
        raise InvalidArgumentError(
            f"out_backprop must have shape {written(flat)}, channels last, got "
            f"{written(results._array.shape)} [Op:{op.name}]"
        )
    return Reshape(results, shape=expected)
