"""Layers between the weighted ones: biases, normalization, dropout."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ...engine.convert import as_tensor, match
from ...engine.dtype_kinds import NUMERIC, REAL_FLOATING
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.shapes import Count, Shape, written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import common_shape, flag, number, tensor_of, text, whole_number
from ..arrays.creation import zeros_like
from ..elementwise.casting import cast
from ..elementwise.powers import pow
from ..elementwise.unary import rsqrt
from ..reductions.moments import moments
from .normalized_rows import NormalizedRows

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array, Tensor


@public("nn.bias_add")
def bias_add(
    value: NumericLike, bias: NumericLike, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """A tensor with a number added for each channel.

    Channels are the last axis, or, with a ``data_format`` that begins with "NC", the second.

    >>> import cinta as tf
    >>> tf.nn.bias_add([[1.0, 2.0]], [10.0, 20.0]).numpy()
    array([[11., 22.]], dtype=float32)

    Args:
        value: A tensor of numbers.
        bias: A vector, with a number for each channel.
        data_format: None, or a format such as "NHWC" or "NCHW".

    Raises:
        ValueError: If the format has its channels elsewhere.
        InvalidArgumentError: If there are not as many numbers as channels.
    """
    x, b = match("BiasAdd", value, bias)
    tensor_of("BiasAdd", x, NUMERIC)
    rank, shape = x._array.ndim, b._array.shape
    if rank < 2:
        raise InvalidArgumentError(
            f"Input tensor must be at least 2D: {written(x._array.shape)} [Op:BiasAdd]"
        )
    if len(shape) != 1:
        raise InvalidArgumentError(f"Biases must be 1D: {written(shape)} [Op:BiasAdd]")
    axis = 1 if channels_first(data_format) else rank - 1
    if x._array.shape[axis] != shape[0]:
        raise InvalidArgumentError(
            "Must provide as many biases as the channel dimension of the input tensor: "
            f"{written(shape)} vs. {written(x._array.shape)} [Op:BiasAdd]"
        )
    return x + (b if axis == rank - 1 else Reshape(b, shape=shape + (1,) * (rank - 2)))


def channels_first(data_format: str | None) -> bool:
    """Whether a data format puts the channels before the other axes: "NCHW" rather than "NHWC"."""
    if data_format is None:
        return False
    data_format = text(data_format, "data_format")
    if data_format.startswith("N") and data_format.endswith("C"):
        return False
    if data_format.startswith("NC"):
        return True
    raise ValueError(
        f"`data_format` must be of the form `N...C` or `NC...`. Received: data_format={data_format}"
    )


# -- normalization -----------------------------------------------------------------------------


@public("nn.batch_normalization")
def batch_normalization(
    x: NumericLike,
    mean: NumericLike,
    variance: NumericLike,
    offset: NumericLike | None,
    scale: NumericLike | None,
    variance_epsilon: NumericLike,
    name: str | None = None,
) -> Tensor:
    """x minus its mean, over its standard deviation, then scaled and shifted.

    All arguments are broadcast; ``offset`` and ``scale`` may be None.

    >>> import cinta as tf
    >>> tf.nn.batch_normalization([1.0, 3.0], 2.0, 1.0, None, None, 0.0).numpy()
    array([-1.,  1.], dtype=float32)

    Args:
        x: A tensor of floating-point numbers.
        mean: Its mean.
        variance: Its variance.
        offset: What is added at the end, or None.
        scale: What is multiplied before that, or None.
        variance_epsilon: A small number that is added to the variance.
    """
    inputs = as_tensor(x)
    factor: Tensor = rsqrt(match("AddV2", variance, variance_epsilon)[0] + variance_epsilon)
    statistics = match("Mul", mean, factor)[0]
    scale = None if scale is None else match("Mul", factor, scale)[1]
    if scale is not None and _would_grow(factor._array.shape, scale._array.shape):
        statistics, factor = cast(statistics, inputs.dtype), cast(factor, inputs.dtype)
        scale = cast(scale, inputs.dtype)
        offset = zeros_like(scale) if offset is None else cast(offset, inputs.dtype)
        return NormalizedRows(inputs, statistics, factor, scale, offset)
    if scale is not None:
        factor = factor * scale
    shift: Tensor = -statistics * factor if offset is None else offset - statistics * factor
    return inputs * cast(factor, inputs.dtype) + cast(shift, inputs.dtype)


@public("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    input: NumericLike,
    mean: NumericLike,
    variance: NumericLike,
    beta: NumericLike,
    gamma: NumericLike,
    variance_epsilon: NumericLike,
    scale_after_normalization: bool,
    name: str | None = None,
) -> Tensor:
    """The same as `batch_normalization`, where ``gamma`` may be told not to scale.

    >>> import cinta as tf
    >>> normalize = tf.nn.batch_norm_with_global_normalization
    >>> normalize([1.0, 3.0], 2.0, 1.0, 10.0, 5.0, 0.0, False).numpy()
    array([ 9., 11.], dtype=float32)

    Args:
        input: A tensor of floating-point numbers.
        mean: Its mean.
        variance: Its variance.
        beta: What is added at the end.
        gamma: What is multiplied before that.
        variance_epsilon: A small number that is added to the variance.
        scale_after_normalization: Whether to multiply by ``gamma``.
    """
    scale = gamma if flag(scale_after_normalization, "scale_after_normalization") else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon)


def _would_grow(a: Shape, b: Shape) -> bool:
    """Whether a product of tensors of these shapes is larger than both, as it is where each example
    has statistics of its own.
    """
    product = math.prod(common_shape("Mul", a, b))
    return product > math.prod(a) and product > math.prod(b)


@public("compat.v1.nn.fused_batch_norm")
def fused_batch_norm(
    x: NumericLike,
    scale: NumericLike,
    offset: NumericLike,
    mean: NumericLike | None = None,
    variance: NumericLike | None = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    exponential_avg_factor: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize images by channel; with the statistics of the batch in training, else given ones.

    Returns the images, the mean and the variance; in training those of the batch, mixed with the
    given ones unless ``exponential_avg_factor`` is 1.

    >>> import cinta as tf
    >>> images = tf.constant([[[[1.0], [3.0]]]])
    >>> y, mean, variance = tf.compat.v1.nn.fused_batch_norm(images, [1.0], [0.0], epsilon=0.0)
    >>> y.numpy().ravel(), mean.numpy(), variance.numpy()
    (array([-1.,  1.], dtype=float32), array([2.], dtype=float32), array([2.], dtype=float32))

    Args:
        x: Images, or volumes, of floats.
        scale: A factor for each channel.
        offset: A number for each channel, which is added.
        mean: The mean of each channel.
        variance: The variance of each channel.
        epsilon: A small number that is added to the variance.
        data_format: "NHWC" or "NDHWC" with the channels last, "NCHW" or "NCDHW" with them first.
        is_training: Whether to take the statistics of the batch.
        exponential_avg_factor: The weight of the statistics of the batch.

    Raises:
        InvalidArgumentError: If ``x`` has neither 4 nor 5 axes.
    """
    images = tensor_of("FusedBatchNormV3", x, REAL_FLOATING)
    if images._array.ndim not in (4, 5):
        raise InvalidArgumentError(
            f"input must be 4 or 5-dimensional, got {written(images._array.shape)} "
            "[Op:FusedBatchNormV3]"
        )
    axis = 1 if channels_first(data_format) else images._array.ndim - 1
    channels = images._array.shape[axis]
    _check_channels(channels, "", scale=scale, offset=offset)
    wide = cast(images, "float32") if images.dtype.size == 2 else images
    if not flag(is_training, "is_training"):
        mean, variance = as_tensor(mean), as_tensor(variance)
        _check_channels(channels, "When is_training=false, ", mean=mean, variance=variance)
        result = _normalized(wide, mean, variance, offset, scale, epsilon, axis)
        return cast(result, images.dtype), mean, variance
    others = [i for i in range(images._array.ndim) if i != axis]
    batch_mean, batch_variance = moments(wide, others)
    result = _normalized(wide, batch_mean, batch_variance, offset, scale, epsilon, axis)
    count = images._array.size // max(images._array.shape[axis], 1)
    batch_variance = batch_variance * (count / max(count - 1, 1))
    if number(exponential_avg_factor, "exponential_avg_factor") != 1:
        when = "When exponential_avg_factor != 1, "
        given = {"mean": mean, "variance": variance}
        _check_channels(channels, when, **{k: v for k, v in given.items() if v is not None})
        batch_mean = _mixed(mean, batch_mean, exponential_avg_factor)
        batch_variance = _mixed(variance, batch_variance, exponential_avg_factor)
    return cast(result, images.dtype), batch_mean, batch_variance


def _check_channels(channels: int, when: str, **given: NumericLike) -> None:
    for name, each in given.items():
        shape = as_tensor(each)._array.shape
        if shape != (channels,):
            raise InvalidArgumentError(
                f"{when}{name} must have the same number of elements as the channels of x, got "
                f"{written(shape)} and {channels} channels [Op:FusedBatchNormV3]"
            )


def _normalized(
    x: Tensor,
    mean: NumericLike,
    variance: NumericLike,
    offset: NumericLike,
    scale: NumericLike,
    epsilon: float,
    axis: int,
) -> Tensor:
    """Batch normalization with one number of each kind per channel."""
    shape = (-1,) + (1,) * (x._array.ndim - 1 - axis)
    mean, variance, offset, scale = (
        Reshape(as_tensor(each), shape=shape) for each in (mean, variance, offset, scale)
    )
    return batch_normalization(x, mean, variance, offset, scale, epsilon)


def _mixed(old: object, new: Tensor, share: float) -> Tensor:
    return new * share if old is None else as_tensor(old) * (1.0 - share) + new * share


@op("WindowSum", linear=True, rowwise=True)
def WindowSum(xp: ArrayModule, x: Array, *, radius: Count) -> Array:
    """For each place on the last axis the sum of all that is not farther away than the radius."""
    count = x.shape[-1]
    padded = xp.pad(x, [(0, 0)] * (x.ndim - 1) + [(radius, radius)])
    return sum([padded[..., i : i + count] for i in range(1, 2 * radius + 1)], padded[..., :count])


WindowSum.grads(x=lambda g, radius: WindowSum(g, radius=radius))


@public("nn.local_response_normalization", "nn.lrn")
def local_response_normalization(
    input: NumericLike,
    depth_radius: int = 5,
    bias: float = 1,
    alpha: float = 1,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Images over ``(bias + alpha * s) ** beta``, s the sum of squares of the channels nearby.

    >>> import cinta as tf
    >>> tf.nn.local_response_normalization(tf.ones([1, 1, 1, 3]), depth_radius=1).numpy().round(3)
    array([[[[0.577, 0.5  , 0.577]]]], dtype=float32)

    Args:
        input: Images ``[batch, height, width, channels]``.
        depth_radius: How many channels on either side are nearby.
        bias: What is added, so that nothing is divided by 0.
        alpha: What the sum of squares is multiplied by.
        beta: The power.

    Raises:
        InvalidArgumentError: If ``input`` has not four axes.
    """
    x = tensor_of("LRN", input, REAL_FLOATING)
    if x._array.ndim != 4:
        raise InvalidArgumentError(
            f"in must be 4-dimensional, got {written(x._array.shape)} [Op:LRN]"
        )
    radius = whole_number(depth_radius, "depth_radius")
    squares = on_one(WindowSum, x * x, radius=radius)
    scale = number(bias, "bias") + number(alpha, "alpha") * squares
    return x * pow(scale, -number(beta, "beta"))


lrn = local_response_normalization
