"""Rows of convolutions and poolings of lines, images and volumes."""

import cinta as tf

from .domains import distinct, positive, real
from .row import Row

nn = tf.nn
ONES = [1, 1, 1, 1]
LINE, IMAGE, VOLUME = real(2, 5, 2), real(1, 4, 5, 2), real(1, 2, 3, 2, 1)
FILTER = real(3, 2, 2, 2) / 2


def convolution(name, function, *inputs, **options):
    """A row of a convolution: in low precision many terms add up."""
    return Row(function, *inputs, name=name, loose=3.0, **options)


def squared(function):
    """The function of squares, so that the second derivative is not 0."""
    return lambda x, *others: function(x * x, *others)


def pulled_back(x, seed):
    """The squares of what the gradient of a pooling makes of a seed."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        pooled = nn.max_pool2d(x, 2, 1, "VALID")
    return tape.gradient(pooled, x, output_gradients=seed) ** 2


CONVOLUTIONS = [
    convolution(
        f"conv2d {strides} {padding} dilations={dilations}",
        lambda x, w, s=strides, p=padding, d=dilations: nn.conv2d(x, w, s, p, dilations=d),
        IMAGE,
        FILTER,
    )
    for strides, padding, dilations in (
        (1, "SAME", 1),
        (2, "SAME", 1),
        ([2, 3], "VALID", 1),
        (1, "SAME", 2),
        (2, "SAME", [1, 3]),
        (1, [[0, 0], [3, 1], [0, 2], [0, 0]], 1),
    )
] + [
    convolution(
        "conv2d in groups",
        lambda x, w: nn.conv2d(x, w, 1, "SAME"),
        real(1, 3, 3, 4),
        real(2, 2, 2, 4),
    ),
    convolution(
        "conv2d with channels first",
        lambda x, w: nn.conv2d(x, w, 1, "SAME", data_format="NCHW"),
        real(1, 2, 3, 3),
        real(2, 2, 2, 1),
    ),
    convolution("conv1d", lambda x, w: nn.conv1d(x, w, 2, "SAME"), LINE, real(3, 2, 2)),
    convolution(
        "conv3d", lambda x, w: nn.conv3d(x, w, [1] * 5, "SAME"), VOLUME, real(2, 2, 2, 1, 2)
    ),
    convolution(
        "conv2d_transpose",
        lambda x, w: nn.conv2d_transpose(x, w, [1, 5, 6, 2], 2),
        real(1, 3, 3, 2),
        real(3, 2, 2, 2),
    ),
    convolution(
        "conv1d_transpose",
        lambda x, w: nn.conv1d_transpose(x, w, [1, 9, 2], 3, "VALID"),
        real(1, 3, 2),
        real(2, 2, 2),
    ),
    convolution(
        "conv3d_transpose",
        lambda x, w: nn.conv3d_transpose(x, w, [1, 4, 3, 2, 2], [1, 2, 1, 2, 1]),
        real(1, 2, 3, 1, 1),
        real(2, 2, 2, 2, 1),
    ),
    convolution(
        "depthwise_conv2d",
        lambda x, w: nn.depthwise_conv2d(x, w, [1, 2, 2, 1], "SAME"),
        IMAGE,
        real(2, 3, 2, 2),
    ),
    convolution(
        "depthwise_conv2d of one channel",
        lambda x, w: nn.depthwise_conv2d(x[:, :, :, tf.newaxis], w, ONES, "VALID"),
        real(1, 3, 4),
        real(2, 2, 1, 1),
    ),
    convolution(
        "depthwise_conv2d dilated",
        lambda x, w: nn.depthwise_conv2d(x, w, ONES, "VALID", dilations=[2, 1]),
        IMAGE,
        real(2, 3, 2, 1),
    ),
    convolution(
        "separable_conv2d",
        lambda x, d, p: nn.separable_conv2d(x, d, p, ONES, "VALID"),
        real(1, 3, 3, 2),
        real(2, 2, 2, 1),
        real(1, 1, 2, 3),
    ),
    convolution(
        "dilation2d",
        lambda x, w: nn.dilation2d(x * x, w, ONES, "SAME", "NHWC", ONES),
        distinct(1, 3, 4, 2),
        real(2, 2, 2) / 8,
    ),
    convolution(
        "erosion2d",
        lambda x, w: nn.erosion2d(x * x, w, [1, 2, 2, 1], "VALID", "NHWC", [1, 1, 2, 1]),
        distinct(1, 4, 5, 2),
        real(2, 2, 2) / 8,
    ),
]

POOLINGS = [
    Row(squared(function), inputs, name=name)
    for name, function, inputs in (
        ("max_pool2d", lambda x: nn.max_pool2d(x, 3, 2, "SAME"), positive(1, 4, 5, 2)),
        ("max_pool1d", lambda x: nn.max_pool1d(x, 2, 1, "VALID"), positive(2, 5, 2)),
        ("avg_pool2d", lambda x: nn.avg_pool2d(x, 3, 2, "SAME"), IMAGE),
        ("avg_pool3d", lambda x: nn.avg_pool3d(x, 2, 1, "VALID"), VOLUME),
        ("pool dilated", lambda x: nn.pool(x, [2], "AVG", dilations=[3]), LINE),
        (
            "max_pool_with_argmax",
            lambda x: nn.max_pool_with_argmax(x, 2, 2, "SAME").output,
            positive(1, 3, 5, 1),
        ),
    )
] + [
    Row(lambda x: nn.max_pool2d(x, 2, 1, "VALID") ** 2, IMAGE, name="max_pool2d squared"),
    Row(lambda x: nn.avg_pool2d(x, 2, 1, "VALID") ** 2, IMAGE, name="avg_pool2d squared"),
    Row(pulled_back, IMAGE, real(1, 3, 4, 2), name="gradient of max_pool2d"),
]

ROWS = CONVOLUTIONS + POOLINGS
