"""Convolutions of float32, by the compiled functions of this process, against float64 by NumPy.

    python -m tests.kernels.convolving

prints how many were compared.
"""

from __future__ import annotations

from itertools import product

import numpy as np

import cinta as tf
from cinta.engine import c_kernels, parallel


def compare(function, *shapes):
    """Raise unless values and gradients agree."""
    random = np.random.default_rng(0)
    given = [random.normal(size=shape) for shape in shapes]
    seed = random.normal(size=function(*given).shape)
    found = []
    for dtype in (tf.float32, tf.float64):
        sources = [tf.constant(each, dtype) for each in given]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = function(*sources)
        found.append([y, *tape.gradient(y, sources, output_gradients=tf.constant(seed, dtype))])
    for single, double in zip(*found, strict=True):
        assert single.dtype == tf.float32
        np.testing.assert_allclose(single, double, rtol=1e-3, atol=1e-3)


def compare_all():
    count = 0
    for size, stride, dilation, padding in product((1, 3), (1, 2), (1, 2), ("SAME", "VALID")):
        if stride > 1 and dilation > 1:
            continue
        for channels, results in ((1, 3), (3, 20), (24, 5)):
            compare(
                lambda x, w: tf.nn.conv2d(x, w, stride, padding, dilations=dilation),  # noqa: B023
                (3, 9, 11, channels),
                (size, 3, channels, results),
            )
            compare(
                lambda x, w: tf.nn.conv1d(x, w, stride, padding, dilations=dilation),  # noqa: B023
                (3, 40, channels),
                (size, channels, results),
            )
            count += 2
        for channels, multiplier in ((3, 1), (20, 1), (33, 2)):
            compare(
                lambda x, w: tf.nn.depthwise_conv2d(
                    x,
                    w,
                    [1, stride, stride, 1],  # noqa: B023
                    padding,  # noqa: B023
                    dilations=[dilation] * 2,  # noqa: B023
                ),
                (3, 9, 11, channels),
                (size, 3, channels, multiplier),
            )
            count += 1
    return count


if __name__ == "__main__":
    assert c_kernels.processor() is not None
    with_one = compare_all()
    parallel.choose_threads(3)
    compare(lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"), (9, 40, 40, 16), (3, 3, 16, 40))
    compare(
        lambda x, w: tf.nn.depthwise_conv2d(x, w, [1] * 4, "SAME"), (40, 40, 40, 16), (3, 3, 16, 1)
    )
    print(with_one + 2)
