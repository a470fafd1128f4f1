"""Pooling: the largest element, or the mean, of what a sliding window sees."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import dtypes
from ..convert import as_tensor
from ..doors import REAL, REAL_FLOATING
from ..errors import InvalidArgumentError
from ..op import op
from .arguments import integers, tensor_of
from .broadcasting import SumTo
from .casting import ZerosLike
from .matmul import written
from .reduction import accumulator, lowest
from .windows import (
    Window,
    folded,
    is_channels_first,
    padded,
    per_axis,
    to_channels_first,
    to_channels_last,
    window_over,
)

if TYPE_CHECKING:
    from ..op import Op
    from ..tensor import Array, Tensor

Shape = tuple[int, ...]


# -- the largest -------------------------------------------------------------------------------


@op("MaxPool")
def MaxPool(xp: Any, input: Array, *, window: Window) -> Array:
    """The largest element that each window sees, channel by channel."""
    seen = padded(xp, input, window.padding, lowest(input.dtype))
    counts = window.counts(window.lengths(input.shape))
    first, *others = [seen[index] for _, index in window.taps(counts)]
    result = first.copy()
    for each in others:
        result = xp.maximum(result, each, out=result) if xp is np else xp.maximum(result, each)
    return result


def _winners(xp: Any, input: Array, output: Array, window: Window) -> Array:
    """The number of the place in each window where its largest element stands first."""
    seen = padded(xp, input, window.padding, lowest(input.dtype))
    counts = window.counts(window.lengths(input.shape))
    places = [index for _, index in window.taps(counts)]
    winner = xp.zeros(output.shape, np.int32)
    for number in range(len(places) - 1, -1, -1):
        winner = xp.where(seen[places[number]] == output, np.int32(number), winner)
    return winner


@op("MaxPoolGrad")
def MaxPoolGrad(
    xp: Any, grad: Array, orig_input: Array, orig_output: Array, *, window: Window
) -> Array:
    """Zeros, and what is given for each window at the place of its largest element."""
    winner = _winners(xp, orig_input, orig_output, window)
    numbers = _numbers(window)

    def piece(place: Shape) -> Array:
        return grad * (winner == numbers[place])

    return folded(xp, piece, window.lengths(orig_input.shape), window)


@op("MaxPoolGradGrad")
def MaxPoolGradGrad(
    xp: Any, grad: Array, orig_input: Array, orig_output: Array, *, window: Window
) -> Array:
    """The elements that stand where the largest of another image do."""
    winner = _winners(xp, orig_input, orig_output, window)
    numbers = _numbers(window)
    given = padded(xp, grad, window.padding)
    counts = window.counts(window.lengths(orig_input.shape))
    return sum(
        [given[index] * (winner == numbers[place]) for place, index in window.taps(counts)]
    )


@cache
def _numbers(window: Window) -> Array:
    """The places in a window, counted as `_winners` counts them."""
    return np.arange(int(np.prod(window.size)), dtype=np.int32).reshape(window.size)


MaxPool.grads(
    input=lambda g, input, out, window: MaxPoolGrad(g, input, out, window=window)
)
MaxPoolGrad.grads(
    grad=lambda g, orig_input, orig_output, window: MaxPoolGradGrad(
        g, orig_input, orig_output, window=window
    ),
    # zero and not None, because TensorFlow's second derivative is zero as well
    orig_input=lambda g, orig_input_shape, out_shape: SumTo(
        ZerosLike(g), shape=orig_input_shape, rank=len(out_shape)
    ),
)
MaxPoolGradGrad.grads(
    grad=lambda g, orig_input, orig_output, window: MaxPoolGrad(
        g, orig_input, orig_output, window=window
    )
)


@op("MaxPoolWithArgmax")
def MaxPoolWithArgmax(
    xp: Any, input: Array, *, window: Window, dtype: Any, with_batch: bool
) -> tuple[Array, Array]:
    """The largest elements, and where each stands in the image, or in all of them."""
    largest = MaxPool.kernel(xp, input, window=window)
    winner = _winners(xp, input, largest, window)
    places = xp.unravel_index(winner, window.size)
    batch, *lengths, channels = input.shape
    flat = xp.reshape(xp.arange(batch if with_batch else 1), (-1, *(1,) * (len(lengths) + 1)))
    for axis, length in enumerate(lengths):
        steps = np.arange(largest.shape[1 + axis]) * window.strides[axis] - window.padding[axis][0]
        steps = steps.reshape(-1, *(1,) * (len(lengths) - axis))
        flat = flat * length + steps + places[axis] * window.dilations[axis]
    return largest, (flat * channels + xp.arange(channels)).astype(dtype)


MaxPoolWithArgmax.grads(
    input=lambda g, input, out, window: MaxPoolGrad(g[0], input, out[0], window=window)
)


# -- the mean ----------------------------------------------------------------------------------


@op("AvgPool")
def AvgPool(xp: Any, value: Array, *, window: Window) -> Array:
    """The mean of what each window sees, channel by channel, without the padding."""
    lengths = window.lengths(value.shape)
    seen = padded(xp, value.astype(accumulator(value.dtype), copy=False), window.padding)
    total = sum([seen[index] for _, index in window.taps(window.counts(lengths))])
    return (total / _elements(window, lengths)).astype(value.dtype)  # type: ignore[attr-defined]


@op("AvgPoolGrad")
def AvgPoolGrad(xp: Any, grad: Array, *, lengths: Shape, window: Window) -> Array:
    """What is given for each window, shared out among the elements that it sees."""
    share = (grad / _elements(window, lengths)).astype(grad.dtype)
    return folded(xp, lambda place: share, lengths, window)


@cache
def _elements(window: Window, lengths: Shape) -> Array:
    """How many elements of the image each window sees, with an axis for the channels."""
    result = np.ones((), np.float32)
    for axis, count in enumerate(window.counts(lengths)):
        starts = np.arange(count) * window.strides[axis] - window.padding[axis][0]
        places = starts[:, None] + np.arange(window.size[axis]) * window.dilations[axis]
        inside = ((places >= 0) & (places < lengths[axis])).sum(axis=1)
        result = result[..., None] * inside.astype(np.float32)
    return result[..., None]


AvgPool.grads(
    value=lambda g, value_shape, window: AvgPoolGrad(
        g, lengths=window.lengths(value_shape), window=window
    )
)
AvgPoolGrad.grads(grad=lambda g, window: AvgPool(g, window=window))


# -- functions ---------------------------------------------------------------------------------


def _pooled(
    op: Op,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    count: int,
) -> Tensor:
    """The pooled image, of so many spatial axes."""
    x, window, first = _seen(op, input, ksize, strides, padding, data_format, dilations, count)
    return to_channels_first(op(x, window=window), count, first)


def _seen(
    op: Op,
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
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


def max_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of lines ``[batch, length, channels]``.

    >>> import cinta as tf
    >>> tf.nn.max_pool1d(tf.reshape([1.0, 4.0, 3.0, 2.0], [1, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([4., 3.], dtype=float32)
    """
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, 1)


def max_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of images ``[batch, height, width, channels]``.

    The gradient goes to the largest element, and to the first of equal ones.

    >>> import cinta as tf
    >>> tf.nn.max_pool2d(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([ 5.,  7., 13., 15.], dtype=float32)
    """
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, 2)


def max_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of volumes ``[batch, depth, height, width, channels]``."""
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, 3)


def max_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The largest element in each window of lines, images or volumes.

    >>> import cinta as tf
    >>> tf.nn.max_pool(tf.ones([1, 5, 5, 1]), 3, 2, "SAME").shape
    TensorShape([1, 3, 3, 1])
    """
    count = _count(input)
    return _pooled(MaxPool, input, ksize, strides, padding, data_format, 1, count)


def avg_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of lines ``[batch, length, channels]``.

    >>> import cinta as tf
    >>> tf.nn.avg_pool1d(tf.reshape([1.0, 4.0, 3.0, 2.0], [1, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([2.5, 2.5], dtype=float32)
    """
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, 1)


def avg_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of images ``[batch, height, width, channels]``.

    Padding does not count.

    >>> import cinta as tf
    >>> tf.nn.avg_pool2d(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2, 2, "VALID").numpy().ravel()
    array([ 2.5,  4.5, 10.5, 12.5], dtype=float32)
    """
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, 2)


def avg_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of each window of volumes ``[batch, depth, height, width, channels]``."""
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, 3)


def avg_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The mean of each window of lines, images or volumes.

    >>> import cinta as tf
    >>> tf.nn.avg_pool(tf.ones([1, 5, 5, 1]), 3, 2, "SAME").shape
    TensorShape([1, 3, 3, 1])
    """
    count = _count(input)
    return _pooled(AvgPool, input, ksize, strides, padding, data_format, 1, count)


def _count(input: Any) -> int:
    """How many spatial axes there are."""
    rank = as_tensor(input).ndim
    if not 3 <= rank <= 5:
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {rank}.")
    return rank - 2


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    output_dtype: Any = dtypes.int64,
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
    """
    x, window, first = _seen(
        MaxPoolWithArgmax, input, ksize, strides, padding, data_format, 1, 2
    )
    if first:
        raise ValueError("Argument data_format must be NHWC for tf.nn.max_pool_with_argmax.")
    dtype = np.dtype(dtypes.as_dtype(output_dtype))
    with_batch = bool(include_batch_in_index)
    return MaxPoolResult(
        *MaxPoolWithArgmax(x, window=window, dtype=dtype, with_batch=with_batch)
    )


class MaxPoolResult(NamedTuple):
    """What `max_pool_with_argmax` gives."""

    output: Tensor
    argmax: Tensor


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Pool by "MAX" or "AVG" over as many axes as the window has.

    >>> import cinta as tf
    >>> tf.nn.pool(tf.reshape(tf.range(5.0), [1, 5, 1]), [2], "MAX", dilations=[3]).numpy().ravel()
    array([3., 4.], dtype=float32)
    """
    ops = {"MAX": MaxPool, "AVG": AvgPool}
    if pooling_type not in ops:
        raise ValueError(
            f"Invalid pooling_type: it must be 'MAX' or 'AVG'. Received: "
            f"pooling_type={pooling_type!r}"
        )
    count = len(integers(window_shape, "window_shape"))
    if max(per_axis("strides", strides, count)) > 1 < max(per_axis("dilations", dilations, count)):
        raise ValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. Received: "
            f"strides={strides} and dilations={dilations}."
        )
    return _pooled(
        ops[pooling_type], input, window_shape, strides, padding, data_format, dilations, count
    )
