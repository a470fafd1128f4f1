"""Ops of neural networks: activations, convolutions, pooling, normalization, losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cinta as tf

from ..ops.nn.normalization import fused_batch_norm
from .gradients import GRADIENTS, padding_of, pool_of_tensors, pulled

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from ..engine.annotations import Padding
    from ..engine.tensor import Tensor
    from ..ops.nn.pooling.fractional import FractionalAvgPool, FractionalMaxPool
    from ..ops.nn.pooling.functions import MaxPoolResult
    from .gradients import AnyPadding

    Fractional = TypeVar("Fractional", FractionalAvgPool, FractionalMaxPool)

_nn = tf.nn


def _conv2d(
    x: Tensor,
    w: Tensor,
    strides: list[int],
    padding: AnyPadding,
    _: bool,
    explicit: list[int],
    *how: *tuple[str, list[int]],
) -> Tensor:
    return _nn.conv2d(x, w, strides, padding_of(padding, explicit), *how)


def _conv(
    x: Tensor,
    w: Tensor,
    strides: list[int],
    padding: AnyPadding,
    explicit: list[int],
    data_format: str,
    dilations: list[int],
    batch_dims: int,
    _: int,
) -> Tensor:
    count = len(w.shape) - 2
    letters = "WHD"[:count][::-1]
    first = data_format == "CHANNELS_FIRST"
    if count not in (2, 3):
        raise tf.errors.InvalidArgumentError(
            f"filter must have 4 or 5 axes, got one of shape {w.shape} [Op:Conv]"
        )
    convolve = _nn.conv2d if count == 2 else _nn.conv3d
    lead = x.shape[:batch_dims]
    images = tf.reshape(x, [-1, *x.shape[batch_dims:]])
    made = convolve(
        images,
        w,
        strides,
        padding_of(padding, explicit),
        f"NC{letters}" if first else f"N{letters}C",
        dilations or None,
    )
    return tf.reshape(made, [*lead, *made.shape[1:]])


def _depthwise(
    x: Tensor,
    w: Tensor,
    strides: list[int],
    padding: AnyPadding,
    explicit: list[int],
    data_format: str,
    dilations: list[int],
) -> Tensor:
    shape = dilations[2:] if data_format == "NCHW" else dilations[1:3]
    return _nn.depthwise_conv2d(x, w, strides, padding_of(padding, explicit), data_format, shape)


def _max_pool(
    x: Tensor,
    ksize: list[int],
    strides: list[int],
    padding: AnyPadding,
    explicit: list[int],
    form: str,
) -> Tensor:
    return _nn.max_pool2d(x, ksize, strides, padding_of(padding, explicit), form)


def _max_pool_places(
    x: Tensor,
    ksize: list[int],
    strides: list[int],
    padding: Padding,
    dtype: tf.DType,
    with_batch: bool,
) -> MaxPoolResult:
    return _nn.max_pool_with_argmax(
        x, ksize, strides, padding, output_dtype=dtype, include_batch_in_index=with_batch
    )


def _fractional(pool: Callable[..., Fractional]) -> Callable[..., Fractional]:
    def pooled(
        x: Tensor, ratio: list[float], random: bool, overlap: bool, fixed: bool, *seeds: int
    ) -> Fractional:
        return pool(x, ratio, random, overlap, seeds[0] or seeds[1])

    return pooled


def _dilation(
    x: Tensor, w: Tensor, strides: list[int], rates: list[int], padding: Padding
) -> Tensor:
    return _nn.dilation2d(x, w, strides, padding, "NHWC", rates)


def _bias_add(value: Tensor, bias: Tensor, data_format: str = "NHWC") -> Tensor:
    return _nn.bias_add(value, bias, data_format)


def _fused_batch_norm(
    x: Tensor,
    scale: Tensor,
    offset: Tensor,
    mean: Tensor,
    variance: Tensor,
    epsilon: float,
    share: float,
    form: str,
    training: bool,
) -> tuple[Tensor, ...]:
    """The images, the statistics to keep, and those that the gradient needs."""
    form = form.replace("D", "")
    m, v = (None, None) if training and share == 1.0 else (mean, variance)
    y, m, v = fused_batch_norm(x, scale, offset, m, v, epsilon, form, training, None, share)
    if not training:
        return y, m, v, m, v
    last = len(x.shape) - 1
    axes = [0, *range(2, last + 1)] if form.startswith("NC") else list(range(last))
    wide = tf.cast(x, scale.dtype)
    return y, m, v, *[tf.stop_gradient(each) for each in _nn.moments(wide, axes)]


def _fused_batch_norm_v3(
    *arguments: *tuple[Tensor, Tensor, Tensor, Tensor, Tensor, float, float, str, bool],
) -> tuple[Tensor, ...]:
    results = _fused_batch_norm(*arguments)
    return *results, tf.zeros([0], results[1].dtype)


def _cross_entropy(features: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """The losses, and their gradients by the features."""
    shape = tf.broadcast_dynamic_shape(tf.shape(features), tf.shape(labels))
    x, y = tf.broadcast_to(features, shape), tf.broadcast_to(labels, shape)
    loss = _nn.softmax_cross_entropy_with_logits(y, x)
    return loss, tf.stop_gradient(_nn.softmax(x) - y)


def _sparse_cross_entropy(features: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    loss = _nn.sparse_softmax_cross_entropy_with_logits(labels, features)
    target = tf.one_hot(labels, features.shape[-1], dtype=features.dtype)
    return loss, tf.stop_gradient(_nn.softmax(features) - target)


def _ctc(
    inputs: Tensor, indices: Tensor, values: Tensor, lengths: Tensor, *how: bool
) -> tuple[Tensor, ...]:
    """The losses, and their gradients by the inputs; the blank is the last class."""
    return _ctc_loss(inputs, indices, values, lengths, inputs.shape[-1] - 1, *how)


def _ctc_v2(
    inputs: Tensor, indices: Tensor, values: Tensor, lengths: Tensor, *how: bool
) -> tuple[Tensor, ...]:
    """The same; the blank is the first class."""
    return _ctc_loss(inputs, indices, values, lengths, 0, *how)


def _ctc_loss(
    inputs: Tensor, indices: Tensor, values: Tensor, lengths: Tensor, blank: int, *how: bool
) -> tuple[Tensor, Tensor]:
    if how != (False, True, False):
        raise tf.errors.UnimplementedError(
            "preprocess_collapse_repeated, ctc_merge_repeated and "
            "ignore_longer_outputs_than_inputs must be False, True and False, got "
            f"{how} [Op:CTCLoss]"
        )
    rows = inputs.shape[1]
    columns = tf.reduce_max(tf.concat([indices[:, 1], [0]], 0)) + 1
    labels = tf.SparseTensor(indices, values, [rows, int(columns)])

    def loss(x: Tensor) -> Tensor:
        return _nn.ctc_loss(labels, x, None, lengths, blank_index=blank)

    value = loss(inputs)
    if not bool(tf.reduce_all(tf.math.is_finite(value))):
        raise tf.errors.InvalidArgumentError(
            "Not enough time for target transition sequence: some labels need more frames than "
            "there are [Op:CTCLoss]"
        )
    return value, tf.stop_gradient(pulled(loss, inputs)(tf.ones_like(value)))


def _greedy(inputs: Tensor, lengths: Tensor, merge: bool, blank: int) -> tuple[Tensor, ...]:
    (found,), total = _nn.ctc_greedy_decoder(inputs, lengths, merge, blank)
    return found.indices, found.values, found.dense_shape, total


def _beam(
    inputs: Tensor, lengths: Tensor, width: int, paths: int, merge: bool
) -> tuple[Tensor | tuple[Tensor, ...], ...]:
    found, chances = _nn.ctc_beam_search_decoder(inputs, lengths, width, paths)
    if merge:
        raise tf.errors.UnimplementedError(
            "merge_repeated must be False: labels that are the same are kept, as by "
            "tf.nn.ctc_beam_search_decoder [Op:CTCBeamSearchDecoder]"
        )
    parts = zip(*[(each.indices, each.values, each.dense_shape) for each in found], strict=True)
    return *parts, chances


OPS: dict[str, Callable[..., Any]] = {
    "AvgPool": _nn.avg_pool2d,
    "AvgPool3D": _nn.avg_pool3d,
    "BiasAdd": _bias_add,
    "BiasAddV1": _bias_add,
    "CTCBeamSearchDecoder": _beam,
    "CTCGreedyDecoder": _greedy,
    "CTCLoss": _ctc,
    "CTCLossV2": _ctc_v2,
    "Conv": _conv,
    "Conv2D": _conv2d,
    "Conv3D": _nn.conv3d,
    "DepthToSpace": _nn.depth_to_space,
    "DepthwiseConv2dNative": _depthwise,
    "Dilation2D": _dilation,
    "Elu": _nn.elu,
    "FractionalAvgPool": _fractional(_nn.fractional_avg_pool),
    "FractionalMaxPool": _fractional(_nn.fractional_max_pool),
    "FusedBatchNorm": _fused_batch_norm,
    "FusedBatchNormV2": _fused_batch_norm,
    "FusedBatchNormV3": _fused_batch_norm_v3,
    "InTopK": lambda predictions, targets, k: _nn.in_top_k(targets, predictions, k),
    "InTopKV2": lambda predictions, targets, k: _nn.in_top_k(targets, predictions, k),
    "LRN": _nn.lrn,
    "LeakyRelu": _nn.leaky_relu,
    "LogSoftmax": _nn.log_softmax,
    "MaxPool": _max_pool,
    "MaxPool3D": _nn.max_pool3d,
    "MaxPoolV2": pool_of_tensors,
    "MaxPoolWithArgmax": _max_pool_places,
    "Relu": _nn.relu,
    "Relu6": _nn.relu6,
    "Selu": _nn.selu,
    "Softmax": _nn.softmax,
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
    "Softplus": _nn.softplus,
    "Softsign": _nn.softsign,
    "SpaceToDepth": _nn.space_to_depth,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
    **GRADIENTS,
}
