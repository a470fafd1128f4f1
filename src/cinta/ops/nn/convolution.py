"""Convolutions of lines, images and volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.convert import as_tensor, kept, match
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.shapes import Shape, written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import shape_argument, tensor_of, whole_numbers
from ..arrays.joining import concat, split
from ..arrays.shaping import expand_dims, squeeze
from .convolution_ops import Conv2D, Conv2DBackpropInput, Conv3D, Conv3DBackpropInput
from .sliding_windows import (
    Window,
    from_batches,
    is_channels_first,
    per_axis,
    to_batches,
    to_channels_first,
    to_channels_last,
    window_over,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ExplicitPadding, NumericLike, Padding, ShapeLike
    from ...engine.op import Op
    from ...engine.tensor import Tensor


CONVOLUTION = {1: Conv2D, 2: Conv2D, 3: Conv3D}
TRANSPOSED = {1: Conv2DBackpropInput, 2: Conv2DBackpropInput, 3: Conv3DBackpropInput}
"""The ops by the number of spatial axes."""


# -- any number of axes ------------------------------------------------------------------------


def _convolve(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    count: int,
) -> Tensor:
    """The convolution over so many axes; all in front of these and of the channels are batches."""
    op = CONVOLUTION[count]
    first = is_channels_first(op.name, data_format, count)
    x, weights = _operands(op, input, filters, count)
    x = to_channels_last(x, count, first)
    images = to_batches(x, count)
    _, *lengths, channels = images._array.shape
    *size, _, _ = weights._array.shape
    groups = _groups(op, x._array.shape, channels, weights._array.shape)
    window = window_over(op.name, lengths, size, strides, padding, dilations, first)
    result = _run(op, images, weights, groups, window)
    return to_channels_first(from_batches(result, x, count), count, first)


def _convolve_back(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    count: int,
) -> Tensor:
    """The transpose of the convolution that makes something like ``input`` of an image of this
    shape.
    """
    op = TRANSPOSED[count]
    filters, input = match(op.name, filters, input)
    first = is_channels_first(op.name, data_format, count)
    x, weights = _operands(op, input, filters, count)
    x = to_channels_last(x, count, first)
    _check_results(op, x._array.shape, weights._array.shape)
    shape = shape_argument(output_shape, "output_shape")
    if len(shape) != count + 2:
        raise InvalidArgumentError(
            f"output_shape must have {count + 2} elements, one for each axis of the result, got "
            f"{written(shape)} [Op:{op.name}]"
        )
    batch, channels = shape[0], shape[1 if first else -1]
    lengths = shape[2:] if first else shape[1:-1]
    *size, _, results = weights._array.shape
    groups = _groups(op, shape, channels, weights._array.shape)
    window = window_over(op.name, lengths, size, strides, padding, dilations, first)
    made = (batch, *window.counts(lengths), results)
    if x._array.shape != made:
        raise InvalidArgumentError(
            f"Size of out_backprop doesn't match computed: an image of output_shape "
            f"{written(shape)} would be convolved to {written(made)}, channels last, but the input "
            f"is {written(x._array.shape)} [Op:{op.name}]"
        )
    return to_channels_first(_run(op, x, weights, groups, window, lengths), count, first)


def _operands(
    op: Op, input: NumericLike, filters: NumericLike, count: int
) -> tuple[Tensor, Tensor]:
    """The image and the filters, of one dtype and of ranks that go together."""
    x, weights = match(op.name, input, filters)
    tensor_of(op.name, x, REAL_FLOATING + "i")
    if x.ndim < count + 2:
        one = ". For a single sample write x[tf.newaxis]" if x.ndim == count + 1 else ""
        raise InvalidArgumentError(
            f"input must be at least {count + 2}-dimensional, batches and channels included: "
            f"{written(x._array.shape)}{one} [Op:{op.name}]"
        )
    if weights.ndim != count + 2:
        raise InvalidArgumentError(
            f"filter must be {count + 2}-dimensional: {written(weights._array.shape)} "
            f"[Op:{op.name}]"
        )
    return x, weights


def _groups(op: Op, image: Shape, channels: int, filters: Shape) -> int:
    """Into how many groups the channels of an image fall if each filter sees so many."""
    *_, depth, results = filters
    if channels == depth:
        return 1
    if not depth or channels % depth:
        raise InvalidArgumentError(
            f"input depth must be evenly divisible by filter depth: {channels} vs {depth}: "
            f"{channels_differ(image, channels, filters, depth)} [Op:{op.name}]"
        )
    groups = channels // depth
    if not groups or results % groups:
        raise InvalidArgumentError(
            f"output depth must be evenly divisible by number of groups: {results} vs {groups}: "
            f"{channels_differ(image, channels, filters, depth)}; {groups} groups of channels "
            f"would need a number of results that {groups} divides [Op:{op.name}]"
        )
    return groups


def _check_results(op: Op, given: Shape, filters: Shape) -> None:
    """Refuse to go back from what these filters cannot have made."""
    if given[-1] != filters[-1]:
        raise InvalidArgumentError(
            f"input and filter must have the same depth: {given[-1]} vs {filters[-1]}: "
            f"{channels_differ(given, given[-1], filters, filters[-1], 'last axis')} "
            f"[Op:{op.name}]"
        )


def channels_differ(
    image: Shape, channels: int, filters: Shape, depth: int, where: str = "last axis but one"
) -> str:
    """An image has not the channels that the filters are for, in words."""
    plural = "s" * (channels != 1)
    return (
        f"the input {written(image)} has {channels} channel{plural}, but the filters "
        f"{written(filters)} expect {depth}, which is the length of their {where}"
    )


def _run(
    op: Op, x: Tensor, filters: Tensor, groups: int, window: Window, lengths: Shape | None = None
) -> Tensor:
    """Call the op, for every group of channels with its own filters."""
    if len(window.size) == 1:
        return _run_on_line(op, x, filters, groups, window, lengths)
    attrs = {"window": window} if lengths is None else {"window": window, "lengths": lengths}
    if groups == 1:
        return op(x, filters, **attrs)
    pairs = zip(split(x, groups, -1), split(filters, groups, -1), strict=True)
    return concat([op(part, own, **attrs) for part, own in pairs], -1)


def _run_on_line(
    op: Op, x: Tensor, filters: Tensor, groups: int, window: Window, lengths: Shape | None
) -> Tensor:
    """Take a line for an image that is one place wide."""
    plane = Window(*[(*each, 1) for each in window])._replace(padding=(*window.padding, (0, 0)))
    wide = None if lengths is None else (*lengths, 1)
    result = _run(op, expand_dims(x, 2), expand_dims(filters, 1), groups, plane, wide)
    return squeeze(result, 2)


# -- convolutions ------------------------------------------------------------------------------


@public("nn.conv2d")
def conv2d(
    input: NumericLike,
    filters: NumericLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve images ``[batch, height, width, channels]`` with ``[height, width, in, out]``.

    ``padding`` is "SAME" (as many results as strides fit), "VALID" (windows inside of the image
    only) or a pair of numbers for every axis. Filters with fewer channels than the image make
    groups: each part of the channels has its own filters.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.nn.conv2d(image, tf.ones([2, 2, 1, 1]), 1, "VALID").numpy().ravel()
    array([ 8., 12., 20., 24.], dtype=float32)
    """
    return _convolve(input, filters, strides, padding, data_format, dilations, 2)


@public("nn.conv1d")
def conv1d(
    input: NumericLike,
    filters: NumericLike,
    stride: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve lines ``[batch, length, channels]`` with filters ``[length, in, out]``.

    >>> import cinta as tf
    >>> line = tf.reshape(tf.range(4.0), [1, 4, 1])
    >>> tf.nn.conv1d(line, tf.ones([2, 1, 1]), 1, "VALID").numpy().ravel()
    array([1., 3., 5.], dtype=float32)
    """
    return _convolve(kept(input), kept(filters), stride, padding, data_format, dilations, 1)


@public("nn.conv3d")
def conv3d(
    input: NumericLike,
    filters: NumericLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NDHWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve volumes ``[batch, depth, height, width, channels]`` with filters
    ``[depth, height, width, in, out]``.

    >>> import cinta as tf
    >>> volume = tf.ones([1, 3, 3, 3, 1])
    >>> tf.nn.conv3d(volume, tf.ones([3, 3, 3, 1, 1]), [1] * 5, "VALID").numpy().ravel()
    array([27.], dtype=float32)
    """
    return _convolve(input, filters, strides, padding, data_format, dilations, 3)


@public("nn.convolution")
def convolution(
    input: NumericLike,
    filters: NumericLike,
    strides: int | Sequence[int] | None = None,
    padding: Padding | ExplicitPadding = "VALID",
    data_format: str | None = None,
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve over as many axes, one to three, as the filters have.

    >>> import cinta as tf
    >>> tf.nn.convolution(tf.ones([1, 5, 1]), tf.ones([3, 1, 1])).shape
    TensorShape([1, 3, 1])
    """
    count = _count(filters)
    if max(per_axis("strides", strides, count)) > 1 < max(per_axis("dilations", dilations, count)):
        raise ValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
            f"strides={strides} and dilations={dilations}. tf.nn.conv2d can do both."
        )
    return _convolve(kept(input), kept(filters), strides, padding, data_format, dilations, count)


def _count(filters: NumericLike) -> int:
    """How many spatial axes the filters have."""
    weights = as_tensor(filters)
    count = weights.ndim - 2
    if count not in CONVOLUTION:
        raise ValueError(
            f"`num_spatial_dims` must be 1, 2, or 3. Received: num_spatial_dims={count}, from "
            f"filters of shape {weights.shape}."
        )
    return count


@public("nn.atrous_conv2d")
def atrous_conv2d(
    value: NumericLike,
    filters: NumericLike,
    rate: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    name: str | None = None,
) -> Tensor:
    """Convolve images with filters that see only every ``rate``-th place.

    >>> import cinta as tf
    >>> tf.nn.atrous_conv2d(tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1]), 3, "VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    return _convolve(kept(value), kept(filters), 1, padding, "NHWC", _rate(rate), 2)


# -- their transposes --------------------------------------------------------------------------


def _rate(rate: int | Sequence[int]) -> tuple[int, ...]:
    """How far apart the elements are that a filter sees, along both axes or along each."""
    apart = whole_numbers(rate, "rate")
    if len(apart) not in (1, 2) or min(apart) < 1:
        raise ValueError(f"`rate` must be one or two positive numbers, got {rate}.")
    return apart


@public("nn.conv2d_transpose")
def conv2d_transpose(
    input: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = "NHWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`: lay a filter down at every place, weighted by the input.

    The filters are ``[height, width, out, in]``, and ``output_shape`` is that of the image which
    `conv2d` would make into one like the input.

    >>> import cinta as tf
    >>> x = tf.reshape([1.0, 2.0], [1, 1, 2, 1])
    >>> tf.nn.conv2d_transpose(x, tf.ones([1, 2, 1, 1]), [1, 1, 4, 1], 2).numpy().ravel()
    array([1., 1., 2., 2.], dtype=float32)
    """
    return _convolve_back(input, filters, output_shape, strides, padding, data_format, dilations, 2)


@public("nn.conv1d_transpose")
def conv1d_transpose(
    input: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = "NWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`; the filters are ``[length, out, in]``.

    >>> import cinta as tf
    >>> x = tf.reshape([1.0, 2.0], [1, 2, 1])
    >>> tf.nn.conv1d_transpose(x, tf.ones([3, 1, 1]), [1, 4, 1], 1, "VALID").numpy().ravel()
    array([1., 3., 3., 2.], dtype=float32)
    """
    return _convolve_back(
        kept(input), kept(filters), output_shape, strides, padding, data_format, dilations, 1
    )


@public("nn.conv3d_transpose")
def conv3d_transpose(
    input: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = "NDHWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv3d`; the filters are ``[depth, height, width, out, in]``.

    >>> import cinta as tf
    >>> x, filters = tf.ones([1, 1, 1, 1, 1]), tf.ones([2, 2, 2, 1, 1])
    >>> tf.nn.conv3d_transpose(x, filters, [1, 2, 2, 2, 1], 2).numpy().sum()
    np.float32(8.0)
    """
    return _convolve_back(input, filters, output_shape, strides, padding, data_format, dilations, 3)


@public("nn.conv_transpose")
def conv_transpose(
    input: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    strides: int | Sequence[int],
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = None,
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `convolution`, over as many axes as the filters have.

    >>> import cinta as tf
    >>> x, filters = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 5, 3])
    >>> tf.nn.conv_transpose(x, filters, [1, 4, 4, 5], strides=2).shape
    TensorShape([1, 4, 4, 5])
    """
    count = _count(filters)
    return _convolve_back(
        input, filters, output_shape, strides, padding, data_format, dilations, count
    )


@public("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    rate: int | Sequence[int],
    padding: Padding | ExplicitPadding,
    name: str | None = None,
) -> Tensor:
    """The transpose of `atrous_conv2d`.

    >>> import cinta as tf
    >>> x, filters = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 5, 3])
    >>> tf.nn.atrous_conv2d_transpose(x, filters, [1, 4, 4, 5], 2, "VALID").shape
    TensorShape([1, 4, 4, 5])
    """
    apart = _rate(rate)
    return _convolve_back(kept(value), kept(filters), output_shape, 1, padding, "NHWC", apart, 2)
