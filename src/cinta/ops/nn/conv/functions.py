"""Convolutions of lines, images and volumes, and their transposes."""

from __future__ import annotations

from collections.abc import Sized
from typing import TYPE_CHECKING

from ....engine.convert import as_tensor, kept
from ....public import public
from ...arguments import whole_numbers
from ..sliding_windows import per_axis
from .arguments import CONVOLUTION, convolve, convolve_back

if TYPE_CHECKING:
    from ....engine.annotations import ExplicitPadding, IntsLike, NumericLike, Padding, ShapeLike
    from ....engine.tensor import Tensor


# -- convolutions ------------------------------------------------------------------------------


@public("nn.conv2d")
def conv2d(
    input: NumericLike,
    filters: NumericLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    dilations: IntsLike | None = None,
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

    Args:
        input: A batch of images; axes in front of it belong to the batch.
        filters: Filters ``[height, width, in, out]``.
        strides: How far apart windows are: one number, two, or one for every axis.
        padding: "SAME", "VALID" or pairs of numbers.
        data_format: "NHWC", or "NCHW" if the channels are the second axis.
        dilations: How far apart the places are that a filter sees; None for 1.

    Raises:
        InvalidArgumentError: If the shapes of images and filters do not fit, or there is no such
            padding or format.
    """
    return convolve(input, filters, strides, padding, data_format, dilations, 2)


@public("nn.conv1d")
def conv1d(
    input: NumericLike,
    filters: NumericLike,
    stride: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NWC",
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve lines ``[batch, length, channels]`` with filters ``[length, in, out]``.

    >>> import cinta as tf
    >>> line = tf.reshape(tf.range(4.0), [1, 4, 1])
    >>> tf.nn.conv1d(line, tf.ones([2, 1, 1]), 1, "VALID").numpy().ravel()
    array([1., 3., 5.], dtype=float32)

    Args:
        input: A batch of lines.
        filters: Filters ``[length, in, out]``.
        stride: How far apart windows are.
        padding: "SAME", "VALID" or pairs of numbers, as for `conv2d`.
        data_format: "NWC", or "NCW" if the channels are the second axis.
        dilations: How far apart the places are that a filter sees; None for 1.

    Raises:
        InvalidArgumentError: If the shapes of lines and filters do not fit.
    """
    return convolve(kept(input), kept(filters), stride, padding, data_format, dilations, 1)


@public("nn.conv3d")
def conv3d(
    input: NumericLike,
    filters: NumericLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NDHWC",
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve volumes ``[batch, depth, height, width, channels]`` with filters
    ``[depth, height, width, in, out]``.

    >>> import cinta as tf
    >>> volume = tf.ones([1, 3, 3, 3, 1])
    >>> tf.nn.conv3d(volume, tf.ones([3, 3, 3, 1, 1]), [1] * 5, "VALID").numpy().ravel()
    array([27.], dtype=float32)

    Args:
        input: A batch of volumes.
        filters: Filters ``[depth, height, width, in, out]``.
        strides: How far apart windows are, along the five axes.
        padding: "SAME", "VALID" or pairs of numbers, as for `conv2d`.
        data_format: "NDHWC", or "NCDHW" if the channels are the second axis.
        dilations: How far apart the places are that a filter sees; None for 1.

    Raises:
        InvalidArgumentError: If the shapes of volumes and filters do not fit.
    """
    return convolve(input, filters, strides, padding, data_format, dilations, 3)


@public("nn.convolution")
def convolution(
    input: NumericLike,
    filters: NumericLike,
    strides: IntsLike | None = None,
    padding: Padding | ExplicitPadding = "VALID",
    data_format: str | None = None,
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Convolve over as many axes, one to three, as the filters have.

    >>> import cinta as tf
    >>> tf.nn.convolution(tf.ones([1, 5, 1]), tf.ones([3, 1, 1])).shape
    TensorShape([1, 3, 1])

    Args:
        input: A batch of lines, images or volumes; axes in front of it belong to the batch.
        filters: Filters, with the axes of space, then in, out.
        strides: How far apart windows are; None for 1.
        padding: "SAME", "VALID" or pairs of numbers, as for `conv2d`.
        data_format: None if the channels are the last axis, or a format such as "NCHW".
        dilations: How far apart the places are that a filter sees; None for 1.

    Raises:
        ValueError: If the filters have another number of axes.
        InvalidArgumentError: If the shapes of input and filters do not fit.
    """
    count = _count(filters)
    if max(per_axis("strides", strides, count)) > 1 < max(per_axis("dilations", dilations, count)):
        raise ValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
            f"strides={strides} and dilations={dilations}. tf.nn.conv2d can do both."
        )
    return convolve(kept(input), kept(filters), strides, padding, data_format, dilations, count)


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
    rate: IntsLike,
    padding: Padding | ExplicitPadding,
    name: str | None = None,
) -> Tensor:
    """Convolve images with filters that see only every ``rate``-th place.

    >>> import cinta as tf
    >>> tf.nn.atrous_conv2d(tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1]), 3, "VALID").shape
    TensorShape([1, 2, 2, 1])

    Args:
        value: Images ``[batch, height, width, channels]``.
        filters: Filters ``[height, width, in, out]``.
        rate: How far apart the places are that a filter sees.
        padding: "SAME" or "VALID".
    """
    return convolve(kept(value), kept(filters), 1, padding, "NHWC", _rate(rate), 2)


# -- their transposes --------------------------------------------------------------------------


def _rate(rate: IntsLike) -> tuple[int, ...]:
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
    strides: IntsLike,
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = "NHWC",
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`: lay a filter down at every place, weighted by the input.

    The filters are ``[height, width, out, in]``, and ``output_shape`` is that of the image which
    `conv2d` would make into one like the input.

    >>> import cinta as tf
    >>> x = tf.reshape([1.0, 2.0], [1, 1, 2, 1])
    >>> tf.nn.conv2d_transpose(x, tf.ones([1, 2, 1, 1]), [1, 1, 4, 1], 2).numpy().ravel()
    array([1., 1., 2., 2.], dtype=float32)

    Args:
        input: A batch of images.
        filters: Filters ``[height, width, out, in]``.
        output_shape: The shape of the result.
        strides: How far apart two filters are laid down, in both directions.
        padding: "SAME", "VALID" or pairs of numbers: that of the convolution that is transposed.
        data_format: "NHWC", or "NCHW" if the channels are the second axis.
        dilations: How far apart the places of a filter are; None for 1.

    Raises:
        InvalidArgumentError: If the result would not have this shape.
    """
    return convolve_back(input, filters, output_shape, strides, padding, data_format, dilations, 2)


@public("nn.conv1d_transpose")
def conv1d_transpose(
    input: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = "NWC",
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`; the filters are ``[length, out, in]``.

    >>> import cinta as tf
    >>> x = tf.reshape([1.0, 2.0], [1, 2, 1])
    >>> tf.nn.conv1d_transpose(x, tf.ones([3, 1, 1]), [1, 4, 1], 1, "VALID").numpy().ravel()
    array([1., 3., 3., 2.], dtype=float32)

    Args:
        input: A batch of lines.
        filters: Filters ``[length, out, in]``.
        output_shape: The shape of the result.
        strides: How far apart two filters are laid down.
        padding: "SAME", "VALID" or pairs of numbers: that of the convolution that is transposed.
        data_format: "NWC", or "NCW" if the channels are the second axis.
        dilations: How far apart the places of a filter are; None for 1.

    Raises:
        InvalidArgumentError: If the result would not have this shape.
    """
    return convolve_back(
        kept(input), kept(filters), output_shape, strides, padding, data_format, dilations, 1
    )


@public("nn.conv3d_transpose")
def conv3d_transpose(
    input: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = "NDHWC",
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv3d`; the filters are ``[depth, height, width, out, in]``.

    >>> import cinta as tf
    >>> x, filters = tf.ones([1, 1, 1, 1, 1]), tf.ones([2, 2, 2, 1, 1])
    >>> tf.nn.conv3d_transpose(x, filters, [1, 2, 2, 2, 1], 2).numpy().sum()
    np.float32(8.0)

    Args:
        input: A batch of volumes.
        filters: Filters ``[depth, height, width, out, in]``.
        output_shape: The shape of the result.
        strides: How far apart two filters are laid down, in all directions.
        padding: "SAME", "VALID" or pairs of numbers: that of the convolution that is transposed.
        data_format: "NDHWC", or "NCDHW" if the channels are the second axis.
        dilations: How far apart the places of a filter are; None for 1.

    Raises:
        InvalidArgumentError: If the result would not have this shape.
    """
    return convolve_back(input, filters, output_shape, strides, padding, data_format, dilations, 3)


@public("nn.conv_transpose")
def conv_transpose(
    input: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding = "SAME",
    data_format: str | None = None,
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `convolution`, over as many axes as the filters have.

    >>> import cinta as tf
    >>> x, filters = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 5, 3])
    >>> tf.nn.conv_transpose(x, filters, [1, 4, 4, 5], strides=2).shape
    TensorShape([1, 4, 4, 5])

    Args:
        input: A batch of lines, images or volumes.
        filters: Filters, with the axes of space, then out, in.
        output_shape: The shape of the result.
        strides: How far apart two filters are laid down.
        padding: "SAME", "VALID" or pairs of numbers: that of the convolution that is transposed.
        data_format: None if the channels are the last axis, or a format such as "NCHW".
        dilations: How far apart the places of a filter are; None for 1.

    Raises:
        InvalidArgumentError: If the result would not have this shape.
    """
    lengths = _axes_of_result(output_shape)
    if lengths not in (3, 4, 5):
        raise ValueError(
            f"`output_shape` must be of length 3, 4 or 5. Received: output_shape={output_shape} of "
            f"length {lengths}."
        )
    count = _count(filters)
    return convolve_back(
        input, filters, output_shape, strides, padding, data_format, dilations, count
    )


def _axes_of_result(output_shape: ShapeLike) -> int:
    if isinstance(output_shape, Sized):
        return len(output_shape)
    raise ValueError(
        "`output_shape` must be a tensor or sized collection. Received: "
        f"output_shape={output_shape}"
    )


@public("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: NumericLike,
    filters: NumericLike,
    output_shape: ShapeLike,
    rate: IntsLike,
    padding: Padding | ExplicitPadding,
    name: str | None = None,
) -> Tensor:
    """The transpose of `atrous_conv2d`.

    >>> import cinta as tf
    >>> x, filters = tf.ones([1, 2, 2, 3]), tf.ones([2, 2, 5, 3])
    >>> tf.nn.atrous_conv2d_transpose(x, filters, [1, 4, 4, 5], 2, "VALID").shape
    TensorShape([1, 4, 4, 5])

    Args:
        value: Images ``[batch, height, width, channels]``.
        filters: Filters ``[height, width, out, in]``.
        output_shape: The shape of the result.
        rate: How far apart the places are that a filter sees.
        padding: "SAME" or "VALID".
    """
    apart = _rate(rate)
    return convolve_back(kept(value), kept(filters), output_shape, 1, padding, "NHWC", apart, 2)
