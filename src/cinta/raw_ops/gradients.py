"""Ops that compute gradients of others: from the gradient of the result to those of the inputs.

Most pull a gradient back through the op itself, so they have gradients in their turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import cinta as tf

from ..ops.elementwise.gamma import IgammaGradA
from ..ops.elementwise.slopes import SigmoidGrad, TanhGrad
from ..ops.elementwise.unary import Abs, SoftplusGrad
from ..ops.nn.activations import LeakyReluGrad, Relu6Grad, ReluGrad

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeAlias

    from ..engine.annotations import NumericLike, Padding
    from ..engine.tensor import Tensor

    AnyPadding: TypeAlias = Padding | Literal["EXPLICIT"]
    ConvAttributes: TypeAlias = tuple[list[int], AnyPadding, bool, list[int], str, list[int]]
    Conv3dAttributes: TypeAlias = tuple[list[int], Padding, str, list[int]]
    Pool3dAttributes: TypeAlias = tuple[list[int], list[int], Padding, str]

_nn = tf.nn


@overload
def pulled(function: Callable[..., Tensor], x: Tensor, /) -> Callable[[Tensor], Tensor]: ...
@overload
def pulled(
    function: Callable[..., Tensor], x: Tensor, y: Tensor, /, *more: Tensor
) -> Callable[[Tensor], tuple[Tensor, ...]]: ...
def pulled(
    function: Callable[..., Tensor], *inputs: Tensor
) -> Callable[[Tensor], Tensor | tuple[Tensor, ...]]:
    """From a gradient of a function's result to that of its input, or those of its inputs."""
    _, pull = tf.vjp(function, *inputs)
    return (lambda g: pull(g)[0]) if len(inputs) == 1 else pull


# -- elementwise ---------------------------------------------------------------------------------


def _from_result(slope: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """A gradient by the slope, which follows from the result."""
    return lambda y, dy: dy * slope(tf.math.conj(y) if y.dtype.is_complex else y)


_ALPHA, _SCALE = 1.6732632423543772, 1.0507009873554805


def _selu_gradient(gradients: Tensor, outputs: Tensor) -> Tensor:
    left = gradients * (outputs + tf.cast(_SCALE * _ALPHA, outputs.dtype))
    return tf.where(outputs < 0, left, gradients * tf.cast(_SCALE, outputs.dtype))


def _elu_gradient(gradients: Tensor, outputs: Tensor) -> Tensor:
    return tf.where(outputs < 0, gradients * (outputs + 1), gradients)


def _bias_gradient(out_backprop: Tensor, data_format: str) -> Tensor:
    rank = len(out_backprop.shape)
    channels = 1 if data_format == "NCHW" else rank - 1
    return tf.reduce_sum(out_backprop, axis=[i for i in range(rank) if i != channels])


# -- convolutions --------------------------------------------------------------------------------


def padding_of(padding: AnyPadding, explicit: list[int]) -> Padding | list[list[int]]:
    """How images are padded: by name, or by two numbers for each axis."""
    pairs = [explicit[i : i + 2] for i in range(0, len(explicit), 2)]
    return pairs if padding == "EXPLICIT" else padding


def _zeros(sizes: Tensor, like: Tensor) -> Tensor:
    return tf.zeros(sizes, like.dtype)


def _conv2d_to_input(sizes: Tensor, w: Tensor, g: Tensor, *how: *ConvAttributes) -> Tensor:
    strides, padding, _, explicit, form, dilations = how
    if sizes.shape == (2,):  # height and width; the rest follows
        channels = [w.shape[2]]
        sizes = tf.concat([[g.shape[0]], sizes, channels], 0)
    given = strides, padding_of(padding, explicit), form, dilations
    return _nn.conv2d_transpose(g, w, sizes, *given)


def _conv2d_to_filter(x: Tensor, sizes: Tensor, g: Tensor, *how: *ConvAttributes) -> Tensor:
    strides, padding, _, explicit, form, dilations = how
    given = strides, padding_of(padding, explicit), form, dilations
    return pulled(lambda w: _nn.conv2d(x, w, *given), _zeros(sizes, x))(g)


def _conv3d_to_input(sizes: Tensor, w: Tensor, g: Tensor, *how: *Conv3dAttributes) -> Tensor:
    return _nn.conv3d_transpose(g, w, sizes, *how)


def _conv3d_to_filter(x: Tensor, sizes: Tensor, g: Tensor, *how: *Conv3dAttributes) -> Tensor:
    return pulled(lambda w: _nn.conv3d(x, w, *how), _zeros(sizes, x))(g)


def _by_example(to: Callable[..., Tensor], which: int) -> Callable[..., Tensor]:
    """Take a tensor whose shape is meant in the place of the sizes."""

    def gradient(*arguments: NumericLike) -> Tensor:
        changed = list(arguments)
        changed[which] = tf.shape(arguments[which])
        return to(*changed)

    return gradient


def _depthwise(to: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def gradient(
        a: Tensor,
        b: Tensor,
        g: Tensor,
        strides: list[int],
        padding: AnyPadding,
        explicit: list[int],
        form: str,
        dilations: list[int],
    ) -> Tensor:
        return to(a, b, g, strides, padding_of(padding, explicit), form, dilations)

    return gradient


def _dilation(which: int) -> Callable[..., Tensor]:
    def gradient(
        x: Tensor, w: Tensor, g: Tensor, strides: list[int], rates: list[int], padding: Padding
    ) -> Tensor:
        def dilated(a: Tensor, b: Tensor) -> Tensor:
            return _nn.dilation2d(a, b, strides, padding, "NHWC", rates)

        return pulled(dilated, x, w)(g)[which]

    return gradient


# -- pooling -------------------------------------------------------------------------------------


def _avg_pool(pool: Callable[..., Tensor]) -> Callable[..., Tensor]:
    return lambda sizes, g, *how: pulled(lambda x: pool(x, *how), _zeros(sizes, g))(g)


def _max_pool(
    x: Tensor,
    y: Tensor,
    g: Tensor,
    ksize: list[int],
    strides: list[int],
    padding: AnyPadding,
    explicit: list[int],
    form: str,
) -> Tensor:
    given = ksize, strides, padding_of(padding, explicit), form
    return pulled(lambda a: _nn.max_pool2d(a, *given), x)(g)


def pool_of_tensors(
    x: Tensor, ksize: Tensor, strides: Tensor, padding: Padding, form: str
) -> Tensor:
    """The largest elements in windows whose sizes and strides are given as tensors."""
    return _nn.max_pool2d(x, ksize.numpy().tolist(), strides.numpy().tolist(), padding, form)


def _max_pool_of_tensors(
    x: Tensor, y: Tensor, g: Tensor, *how: *tuple[Tensor, Tensor, Padding, str]
) -> Tensor:
    return pulled(lambda a: pool_of_tensors(a, *how), x)(g)


def _max_pool3d(x: Tensor, y: Tensor, g: Tensor, *how: *Pool3dAttributes) -> Tensor:
    return pulled(lambda a: _nn.max_pool3d(a, *how), x)(g)


def _at_largest(pool: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The elements of a gradient that stand where the largest of the image do."""
    return lambda x, y, g, *how: pulled(
        lambda upstream: pulled(lambda a: pool(a, *how), x)(upstream), tf.zeros_like(y)
    )(g)


def _by_places(
    x: Tensor,
    g: Tensor,
    places: Tensor,
    ksize: list[int],
    strides: list[int],
    padding: str,
    with_batch: bool,
) -> Tensor:
    """A gradient put where the places say, which count within an image or within all."""
    flat = _flat(places, x, with_batch)
    return tf.reshape(
        tf.math.unsorted_segment_sum(tf.reshape(g, [-1]), flat, tf.size(x)), tf.shape(x)
    )


def _from_places(
    x: Tensor,
    g: Tensor,
    places: Tensor,
    ksize: list[int],
    strides: list[int],
    padding: str,
    with_batch: bool,
) -> Tensor:
    flat = _flat(places, x, with_batch)
    return tf.reshape(tf.gather(tf.reshape(g, [-1]), flat), tf.shape(places))


def _flat(places: Tensor, x: Tensor, with_batch: bool) -> Tensor:
    if not with_batch:
        image = tf.size(x, places.dtype) // x.shape[0]
        starts = tf.range(x.shape[0], dtype=places.dtype) * image
        places = places + tf.reshape(starts, [-1, *[1] * (len(places.shape) - 1)])
    return tf.reshape(places, [-1])


# -- normalization -------------------------------------------------------------------------------


def _lrn(g: Tensor, x: Tensor, y: Tensor, *how: *tuple[int, float, float, float]) -> Tensor:
    return pulled(lambda a: _nn.lrn(a, *how), x)(g)


def _batch_norm(
    g: Tensor,
    x: Tensor,
    scale: Tensor,
    mean: Tensor,
    variance: Tensor,
    epsilon: float,
    form: str,
    training: bool,
) -> tuple[Tensor, ...]:
    """The gradients by images, scale and offset, and two results that are nothing."""
    last = len(x.shape) - 1
    axis = 1 if form.startswith("NC") else last
    axes = [i for i in range(last + 1) if i != axis]
    wide = [-1 if i == axis else 1 for i in range(last + 1)]

    def normalized(a: Tensor, factor: Tensor, offset: Tensor) -> Tensor:
        statistics = _nn.moments(a, axes) if training else (mean, variance)
        shaped = [tf.reshape(each, wide) for each in (*statistics, offset, factor)]
        m, v, moved, scaled = shaped
        return _nn.batch_normalization(a, m, v, moved, scaled, epsilon)

    single = tf.cast(x, scale.dtype)
    pull = pulled(normalized, single, scale, tf.zeros_like(scale))
    dx, dscale, doffset = pull(tf.cast(g, scale.dtype))
    empty = tf.zeros([0], scale.dtype)
    return tf.cast(dx, x.dtype), dscale, doffset, empty, empty


def _batch_norm_v3(
    g: Tensor,
    x: Tensor,
    scale: Tensor,
    mean: Tensor,
    variance: Tensor,
    _: Tensor,
    *how: *tuple[float, str, bool],
) -> tuple[Tensor, ...]:
    return _batch_norm(g, x, scale, mean, variance, *how)


GRADIENTS: dict[str, Callable[..., Any]] = {
    "AvgPool3DGrad": _avg_pool(_nn.avg_pool3d),
    "AvgPoolGrad": _avg_pool(_nn.avg_pool2d),
    "BiasAddGrad": _bias_gradient,
    "Conv2DBackpropFilter": _conv2d_to_filter,
    "Conv2DBackpropFilterV2": _by_example(_conv2d_to_filter, 1),
    "Conv2DBackpropInput": _conv2d_to_input,
    "Conv2DBackpropInputV2": _by_example(_conv2d_to_input, 0),
    "Conv3DBackpropFilterV2": _conv3d_to_filter,
    "Conv3DBackpropInputV2": _conv3d_to_input,
    "DepthwiseConv2dNativeBackpropFilter": _depthwise(_nn.depthwise_conv2d_backprop_filter),
    "DepthwiseConv2dNativeBackpropInput": _depthwise(_nn.depthwise_conv2d_backprop_input),
    "Dilation2DBackpropFilter": _dilation(1),
    "Dilation2DBackpropInput": _dilation(0),
    "EluGrad": _elu_gradient,
    "FusedBatchNormGrad": _batch_norm,
    "FusedBatchNormGradV2": _batch_norm,
    "FusedBatchNormGradV3": _batch_norm_v3,
    "IgammaGradA": lambda a, x: IgammaGradA(a, x, order=1),
    "InvGrad": _from_result(lambda y: -y * y),
    "LRNGrad": _lrn,
    "LeakyReluGrad": lambda g, x, alpha: LeakyReluGrad(g, x, alpha=alpha),
    "MaxPool3DGrad": _max_pool3d,
    "MaxPool3DGradGrad": _at_largest(_nn.max_pool3d),
    "MaxPoolGrad": _max_pool,
    "MaxPoolGradGrad": _at_largest(_nn.max_pool2d),
    "MaxPoolGradGradV2": _at_largest(pool_of_tensors),
    "MaxPoolGradGradWithArgmax": _from_places,
    "MaxPoolGradV2": _max_pool_of_tensors,
    "MaxPoolGradWithArgmax": _by_places,
    "ReciprocalGrad": _from_result(lambda y: -y * y),
    "Relu6Grad": Relu6Grad,
    "ReluGrad": ReluGrad,
    "RsqrtGrad": _from_result(lambda y: -0.5 * y * y * y),
    "SeluGrad": _selu_gradient,
    "SigmoidGrad": SigmoidGrad,
    "SoftplusGrad": SoftplusGrad,
    "SoftsignGrad": lambda g, x: g / tf.square(1 + Abs(x)),
    "SqrtGrad": _from_result(lambda y: 0.5 / y),
    "TanhGrad": TanhGrad,
}
