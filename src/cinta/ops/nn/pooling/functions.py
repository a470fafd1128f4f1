"""Pooling: the largest element, or the mean, of what a sliding window sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from .... import dtypes
from ....engine.convert import as_tensor
from ....engine.dtype_kinds import REAL, REAL_FLOATING
from ....engine.shapes import written
from ....errors import InvalidArgumentError
from ....public import public
from ...arguments import flag, tensor_of, text, whole_numbers
from ..sliding_windows import (
    Window,
    is_channels_first,
    per_axis,
    to_channels_first,
    to_channels_last,
    window_over,
)
from .depth import covers_channels, max_pool_across_channels
from .rules import AvgPool, MaxPool, MaxPoolWithArgmax

if TYPE_CHECKING:
    from ....engine.annotations import DTypeLike, ExplicitPadding, IntsLike, NumericLike, Padding
    from ....engine.op import Op
    from ....engine.tensor import Tensor


def _pooled(
    op: Op,
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike | None,
    padding: Padding | ExplicitPadding,
    data_format: str | None,
    dilations: IntsLike | None,
    count: int,
) -> Tensor:
    """The pooled image, of so many spatial axes."""
    x, window, first = _seen(op, input, ksize, strides, padding, data_format, dilations, count)
    return to_channels_first(op(x, window=window), count, first)


def _seen(
    op: Op,
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike | None,
    padding: Padding | ExplicitPadding,
    data_format: str | None,
    dilations: IntsLike | None,
    count: int,
) -> tuple[Tensor, Window, bool]:
    """The image with channels last, the window over it, and whether the channels came first."""
    first = is_channels_first(op.name, data_format, count)
    x = tensor_of(op.name, input, REAL_FLOATING if op is AvgPool else REAL)
    if x.ndim != count + 2:
        raise InvalidArgumentError(
            f"input must be {count + 2}-dimensional, batches and channels included: "
            f"{written(x._array.shape)} [Op:{op.name}]"
        )
    x = to_channels_last(x, count, first)
    lengths = x._array.shape[1:-1]
    window = window_over(op.name, lengths, ksize, strides, padding, dilations, first)
    return x, window, first


@public("nn.max_pool1d")
def max_pool1d(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of lines ``[batch, length, channels]``.

    >>> import cinta as tf
    >>> tf.nn.max_pool1d(tf.reshape([1.0, 4.0, 3.0, 2.0], [1, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([4., 3.], dtype=float32)

    Args:
        input: A batch of lines.
        ksize: The length of a window.
        strides: How far apart windows are.
        padding: "SAME" lets windows reach over the border, "VALID" does not; or pairs of numbers
            for every axis.
        data_format: "NWC", or "NCW" if the channels are the second axis.
    """
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, 1)


@public("nn.max_pool2d")
def max_pool2d(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of images ``[batch, height, width, channels]``.

    The gradient goes to the largest element, and to the first of equal ones.

    >>> import cinta as tf
    >>> tf.nn.max_pool2d(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([ 5.,  7., 13., 15.], dtype=float32)

    Args:
        input: A batch of images.
        ksize: The height and width of a window, or one number for both.
        strides: How far apart windows are, in both directions.
        padding: "SAME" lets windows reach over the border, "VALID" does not; or pairs of numbers
            for every axis.
        data_format: "NHWC", or "NCHW" if the channels are the second axis.
    """
    if covers_channels(ksize, data_format):
        return max_pool_across_channels(input, ksize, strides, padding)
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, 2)


@public("nn.max_pool3d")
def max_pool3d(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of volumes ``[batch, depth, height, width, channels]``.

    >>> import cinta as tf
    >>> tf.nn.max_pool3d(tf.ones([1, 2, 2, 4, 3]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 2, 3])

    Args:
        input: A batch of volumes.
        ksize: The three lengths of a window, or one number for all.
        strides: How far apart windows are, in all directions.
        padding: "SAME" lets windows reach over the border, "VALID" does not.
        data_format: "NDHWC", or "NCDHW" if the channels are the second axis.
    """
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, 3)


@public("nn.max_pool")
def max_pool(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of lines, images or volumes.

    >>> import cinta as tf
    >>> tf.nn.max_pool(tf.ones([1, 5, 5, 1]), 3, 2, "SAME").shape
    TensorShape([1, 3, 3, 1])

    Args:
        input: A batch of lines, images or volumes, with one, two or three axes between batch and
            channels.
        ksize: The lengths of a window; one number for all axes.
        strides: How far apart windows are; one number for all axes.
        padding: "SAME" lets windows reach over the border, "VALID" does not; or pairs of numbers
            for every axis.
        data_format: Where the channels are: None for the last axis, or "NCW", "NCHW" or "NCDHW" for
            the second.

    Raises:
        ValueError: If the input has another number of axes.
        InvalidArgumentError: If the padding is another, or a window is larger than the input.
    """
    count = _count(input)
    if count == 2 and covers_channels(ksize, data_format):
        return max_pool_across_channels(input, ksize, strides, padding)
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, count)


@public("nn.avg_pool1d")
def avg_pool1d(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of lines ``[batch, length, channels]``.

    >>> import cinta as tf
    >>> tf.nn.avg_pool1d(tf.reshape([1.0, 4.0, 3.0, 2.0], [1, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([2.5, 2.5], dtype=float32)

    Args:
        input: A batch of lines.
        ksize: The length of a window.
        strides: How far apart windows are.
        padding: "SAME" lets windows reach over the border, "VALID" does not.
        data_format: "NWC", or "NCW" if the channels are the second axis.
    """
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, 1)


@public("nn.avg_pool2d")
def avg_pool2d(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of images ``[batch, height, width, channels]``.

    Padding does not count.

    >>> import cinta as tf
    >>> tf.nn.avg_pool2d(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([ 2.5,  4.5, 10.5, 12.5], dtype=float32)

    Args:
        input: A batch of images.
        ksize: The height and width of a window, or one number for both.
        strides: How far apart windows are, in both directions.
        padding: "SAME" lets windows reach over the border, "VALID" does not.
        data_format: "NHWC", or "NCHW" if the channels are the second axis.
    """
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, 2)


@public("nn.avg_pool3d")
def avg_pool3d(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of volumes ``[batch, depth, height, width, channels]``.

    >>> import cinta as tf
    >>> tf.nn.avg_pool3d(tf.ones([1, 2, 2, 4, 3]), 2, 2, "VALID").shape
    TensorShape([1, 1, 1, 2, 3])

    Args:
        input: A batch of volumes.
        ksize: The three lengths of a window, or one number for all.
        strides: How far apart windows are, in all directions.
        padding: "SAME" lets windows reach over the border, "VALID" does not.
        data_format: "NDHWC", or "NCDHW" if the channels are the second axis.
    """
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, 3)


@public("nn.avg_pool")
def avg_pool(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The mean of each window of lines, images or volumes.

    >>> import cinta as tf
    >>> tf.nn.avg_pool(tf.ones([1, 5, 5, 1]), 3, 2, "SAME").shape
    TensorShape([1, 3, 3, 1])

    Args:
        input: A batch of lines, images or volumes, with one, two or three axes between batch and
            channels.
        ksize: The lengths of a window; one number for all axes.
        strides: How far apart windows are; one number for all axes.
        padding: "SAME" lets windows reach over the border, "VALID" does not.
        data_format: Where the channels are: None for the last axis, or "NCW", "NCHW" or "NCDHW" for
            the second.

    Raises:
        ValueError: If the input has another number of axes.
        InvalidArgumentError: If the padding is another, or a window is larger than the input.
    """
    count = _count(input)
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, count)


def _count(input: NumericLike) -> int:
    """How many spatial axes there are."""
    rank = as_tensor(input).ndim
    if not 3 <= rank <= 5:
        raise ValueError(f"`input.shape.rank` must be 3, 4 or 5: got a tensor of rank {rank}.")
    return rank - 2


@public("nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: NumericLike,
    ksize: IntsLike,
    strides: IntsLike,
    padding: Padding | ExplicitPadding,
    data_format: str | None = "NHWC",
    output_dtype: DTypeLike = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> MaxPoolResult:
    """The largest element in each window of images, and where it stands in the flattened image.

    With ``include_batch_in_index`` it is where it stands in all images, flattened.

    >>> import cinta as tf
    >>> image = tf.reshape([1.0, 4.0, 3.0, 2.0], [1, 2, 2, 1])
    >>> largest, where = tf.nn.max_pool_with_argmax(image, 2, 2, "VALID")
    >>> largest.numpy().item(), where.numpy().item()
    (4.0, 1)

    Args:
        input: A batch of images.
        ksize: The height and width of a window, or one number for both.
        strides: How far apart windows are, in both directions.
        padding: "SAME" lets windows reach over the border, "VALID" does not.
        data_format: "NHWC".
        output_dtype: The dtype of the places.
        include_batch_in_index: Whether places count through the whole batch.

    Raises:
        ValueError: If the data format is another.
    """
    x, window, first = _seen(MaxPoolWithArgmax, input, ksize, strides, padding, data_format, 1, 2)
    if first:
        raise ValueError("Argument data_format must be NHWC for tf.nn.max_pool_with_argmax.")
    dtype = dtypes.as_dtype(output_dtype).dtype
    with_batch = flag(include_batch_in_index, "include_batch_in_index")
    return MaxPoolResult(*MaxPoolWithArgmax(x, window=window, dtype=dtype, with_batch=with_batch))


class MaxPoolResult(NamedTuple):
    """The results of `max_pool_with_argmax`."""

    output: Tensor
    argmax: Tensor


@public("nn.pool")
def pool(
    input: NumericLike,
    window_shape: IntsLike,
    pooling_type: str,
    strides: IntsLike | None = None,
    padding: Padding | ExplicitPadding = "VALID",
    data_format: str | None = None,
    dilations: IntsLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Pool by "MAX" or "AVG" over as many axes as the window has.

    >>> import cinta as tf
    >>> tf.nn.pool(tf.reshape(tf.range(5.0), [1, 5, 1]), [2], "MAX", dilations=[3]).numpy().ravel()
    array([3., 4.], dtype=float32)

    Args:
        input: A batch of lines, images or volumes.
        window_shape: The lengths of a window.
        pooling_type: "MAX" or "AVG".
        strides: How far apart windows are; None for 1.
        padding: "SAME" or "VALID", or pairs of numbers.
        data_format: None if the channels are the last axis, or a format such as "NCHW".
        dilations: How far apart the places are that a window sees; None for 1.

    Raises:
        ValueError: If the type is another, or there are both strides and dilations.
    """
    ops = {"MAX": MaxPool, "AVG": AvgPool}
    if text(pooling_type, "pooling_type") not in ops:
        raise ValueError(
            f"Invalid pooling_type: it must be 'MAX' or 'AVG'. Received: "
            f"pooling_type={pooling_type!r}"
        )
    lengths = whole_numbers(window_shape, "window_shape")
    count = len(lengths)
    if not 1 <= count <= 3 or min(lengths) < 1:
        raise ValueError(f"`window_shape` must be 1 to 3 positive lengths, got {window_shape}.")
    if max(per_axis("strides", strides, count)) > 1 < max(per_axis("dilations", dilations, count)):
        raise ValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
            f"strides={strides} and dilations={dilations}."
        )
    return _pooled(
        ops[pooling_type], input, window_shape, strides, padding, data_format, dilations, count
    )
