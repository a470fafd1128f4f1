"""Convolutions in which every channel has filters of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....engine.convert import as_tensor, kept, match
from ....engine.dtype_kinds import REAL_FLOATING
from ....engine.primitives import Reshape
from ....engine.shapes import Shape, written
from ....errors import InvalidArgumentError
from ....public import public
from ...arguments import tensor_of
from ..conv.arguments import channels_differ
from ..conv.functions import conv2d
from ..sliding_windows import (
    four,
    is_channels_first,
    to_channels_first,
    to_channels_last,
    window_over,
)
from .rules import DepthwiseConv2dNative, DepthwiseToFilter, DepthwiseToInput

if TYPE_CHECKING:
    from ....engine.annotations import ExplicitPadding, IntsLike, NumericLike, Padding, ShapeLike
    from ....engine.op import Op
    from ....engine.tensor import Tensor


@public("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: NumericLike,
    filter: NumericLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = None,
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve every channel of images with filters ``[height, width, channels, multiplier]``.

    The results of a channel's filters stand side by side: there are channels times multiplier.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(8.0), [1, 2, 2, 2])
    >>> tf.nn.depthwise_conv2d(image, tf.ones([2, 2, 2, 1]), [1] * 4, "VALID").numpy().ravel()
    array([12., 16.], dtype=float32)

    Args:
        input: A batch of images.
        filter: Filters ``[height, width, channels, multiplier]``.
        strides: How far apart windows are, along the four axes.
        padding: "SAME", "VALID" or pairs of numbers, as for `conv2d`.
        data_format: None or "NHWC", or "NCHW" if the channels are the second axis.
        dilations: How far apart the places are that a filter sees: two numbers; None for 1.

    Raises:
        InvalidArgumentError: If images and filters have other numbers of channels.
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
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    dilations: IntsLike = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` for images of these sizes, from that of the result.

    >>> import cinta as tf
    >>> g, filters = tf.ones([1, 1, 1, 2]), tf.ones([2, 2, 2, 1])
    >>> strides = [1, 1, 1, 1]
    >>> tf.nn.depthwise_conv2d_backprop_input([1, 2, 2, 2], filters, g, strides, "VALID").shape
    TensorShape([1, 2, 2, 2])

    Args:
        input_sizes: The shape of the images.
        filter: The filters.
        out_backprop: The gradient of the result.
        strides: Those of the convolution, along the four axes.
        padding: That of the convolution.
        data_format: "NHWC" or "NCHW".
        dilations: Those of the convolution.
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
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    dilations: IntsLike = (1, 1, 1, 1),
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` for filters of these sizes, from that of the result.

    >>> import cinta as tf
    >>> image, g = tf.ones([1, 2, 2, 2]), tf.ones([1, 1, 1, 2])
    >>> strides = [1, 1, 1, 1]
    >>> tf.nn.depthwise_conv2d_backprop_filter(image, [2, 2, 2, 1], g, strides, "VALID").shape
    TensorShape([2, 2, 2, 1])

    Args:
        input: A batch of images.
        filter_sizes: The shape of the filters.
        out_backprop: The gradient of the result.
        strides: Those of the convolution, along the four axes.
        padding: That of the convolution.
        data_format: "NHWC" or "NCHW".
        dilations: Those of the convolution.
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
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = None,
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, and then a mixing of the channels by filters of size 1 by 1.

    >>> import cinta as tf
    >>> image, channels = tf.ones([1, 4, 4, 2]), tf.ones([1, 1, 2, 5])
    >>> tf.nn.separable_conv2d(image, tf.ones([3, 3, 2, 1]), channels, [1] * 4, "SAME").shape
    TensorShape([1, 4, 4, 5])

    Args:
        input: A batch of images.
        depthwise_filter: Filters ``[height, width, channels, multiplier]``.
        pointwise_filter: Filters ``[1, 1, channels * multiplier, out]``.
        strides: How far apart windows are, along the four axes.
        padding: "SAME", "VALID" or pairs of numbers, as for `conv2d`.
        data_format: None or "NHWC", or "NCHW" if the channels are the second axis.
        dilations: How far apart the places are that a filter sees: two numbers; None for 1.

    Raises:
        ValueError: If the pointwise filters are larger than 1 by 1.
        InvalidArgumentError: If the numbers of channels do not fit.
    """
    mixing = as_tensor(pointwise_filter)
    if tuple(mixing.shape[:2]) != (1, 1):
        raise ValueError(
            f"pointwise_filter must have height and width 1, got shape {mixing.shape}."
        )
    apart = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return conv2d(apart, mixing, 1, "VALID", data_format or "NHWC")


def _operands(op: Op, first: NumericLike, second: NumericLike) -> tuple[Tensor, Tensor]:
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
