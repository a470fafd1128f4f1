"""Convolutions: values, padding, layouts, groups, what they refuse."""

import tracemalloc

import numpy as np
import pytest
from scipy.signal import correlate

import cinta as tf

nn = tf.nn
InvalidArgument = tf.errors.InvalidArgumentError
draw = np.random.default_rng(0).standard_normal


def valid(image, filters):
    """The convolution of one image as SciPy computes it, channel by channel."""
    channels = [
        [correlate(image[..., c], filters[..., c, f], "valid") for c in range(image.shape[-1])]
        for f in range(filters.shape[-1])
    ]
    return np.stack([np.sum(each, axis=0) for each in channels], axis=-1)


@pytest.mark.parametrize(
    ("convolve", "image", "filters"),
    [
        (lambda x, w: nn.conv1d(x, w, 1, "VALID"), draw((9, 3)), draw((4, 3, 2))),
        (lambda x, w: nn.conv2d(x, w, 1, "VALID"), draw((7, 8, 3)), draw((3, 2, 3, 4))),
        (lambda x, w: nn.conv2d(x, w, 1, "VALID"), draw((7, 8, 3)), draw((1, 1, 3, 4))),
        (lambda x, w: nn.conv3d(x, w, [1] * 5, "VALID"), draw((4, 5, 6, 2)), draw((2, 3, 2, 2, 3))),
        (nn.convolution, draw((7, 8, 3)), draw((3, 2, 3, 4))),
    ],
)
def test_values_are_those_of_scipy(convolve, image, filters):
    np.testing.assert_allclose(convolve(image[None], filters)[0], valid(image, filters), rtol=1e-9)


def test_gradients_of_many_weights_take_little_memory_beside_them():
    image, filters = (
        tf.random.normal([2, 8, 8, 512], seed=1),
        tf.Variable(tf.ones([3, 3, 512, 512])),
    )
    with tf.GradientTape() as tape:
        y = nn.conv2d(image, filters, 1, "SAME")
    tracemalloc.start()
    try:
        found = tape.gradient(y, filters)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.75 * found.numpy().nbytes


def test_large_images_are_worked_through_in_parts():
    image, filters = draw((130, 120, 16)), draw((3, 3, 16, 2))
    found = nn.conv2d(image[None], filters, 1, "VALID")[0]
    np.testing.assert_allclose(found, valid(image, filters), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("length", "size", "stride", "before", "after"),
    [(5, 3, 1, 1, 1), (6, 3, 2, 0, 1), (5, 2, 1, 0, 1), (7, 4, 3, 1, 2), (6, 1, 2, 0, 0)],
)
def test_same_puts_the_odd_place_behind(length, size, stride, before, after):
    image, filters = draw((1, length, 1, 1)), draw((size, 1, 1, 1))
    around = [[0, 0], [before, after], [0, 0], [0, 0]]
    same = nn.conv2d(image, filters, [1, stride, 1, 1], "SAME")
    explicit = nn.conv2d(image, filters, [1, stride, 1, 1], around)
    assert same.shape[1] == -(-length // stride)
    np.testing.assert_array_equal(same, explicit)


def test_dilated_filters_are_filters_with_zeros_between():
    image, filters = draw((1, 9, 9, 2)), draw((3, 2, 2, 2))
    wide = np.zeros((5, 4, 2, 2))
    wide[::2, ::3] = filters
    dilated = nn.conv2d(image, filters, 2, "VALID", dilations=[2, 3])
    np.testing.assert_allclose(dilated, nn.conv2d(image, wide, 2, "VALID"), rtol=1e-9)
    np.testing.assert_array_equal(
        nn.atrous_conv2d(image, filters, 2, "SAME"),
        nn.conv2d(image, filters, 1, "SAME", dilations=2),
    )
    np.testing.assert_array_equal(
        nn.atrous_conv2d(image, filters, [2, 3], "VALID"),
        nn.conv2d(image, filters, 1, "VALID", dilations=[2, 3]),
    )
    with pytest.raises(ValueError, match="rate"):
        nn.atrous_conv2d(image, filters, 0, "SAME")


@pytest.mark.parametrize(
    ("convolve", "layout", "image", "filters"),
    [
        (nn.conv1d, "NCW", draw((2, 7, 3)), draw((3, 3, 2))),
        (nn.conv2d, "NCHW", draw((2, 6, 7, 3)), draw((3, 2, 3, 2))),
        (nn.conv3d, "NCDHW", draw((1, 4, 5, 3, 2)), draw((2, 2, 2, 2, 3))),
    ],
)
def test_channels_may_come_first(convolve, layout, image, filters):
    found = convolve(np.moveaxis(image, -1, 1), filters, 2, "SAME", data_format=layout)
    expected = convolve(image, filters, 2, "SAME").numpy()
    np.testing.assert_allclose(found, np.moveaxis(expected, -1, 1), rtol=1e-9)


def test_channels_fall_into_groups():
    image, filters = draw((1, 5, 5, 4)), draw((2, 2, 2, 6))
    found = nn.conv2d(image, filters, 1, "SAME").numpy()
    halves = [nn.conv2d(image[..., :2], filters[..., :3], 1, "SAME").numpy()]
    halves += [nn.conv2d(image[..., 2:], filters[..., 3:], 1, "SAME").numpy()]
    np.testing.assert_array_equal(found, np.concatenate(halves, axis=-1))


def test_all_axes_in_front_are_batches():
    images, filters = draw((2, 3, 5, 5, 2)), draw((2, 2, 2, 3))
    found = nn.conv2d(images, filters, 1, "SAME")
    assert found.shape == (2, 3, 5, 5, 3)
    alone = nn.conv2d(images[1], filters, 1, "SAME")
    np.testing.assert_allclose(found[1], alone, rtol=1e-12)


@pytest.mark.parametrize(("strides", "padding"), [(1, "SAME"), (2, "SAME"), (3, "VALID")])
def test_the_transpose_is_the_transpose(strides, padding):
    image, filters = draw((2, 7, 8, 3)), draw((3, 2, 3, 4))
    result = nn.conv2d(image, filters, strides, padding).numpy()
    given = draw(result.shape)
    back = nn.conv2d_transpose(given, filters, image.shape, strides, padding).numpy()
    np.testing.assert_allclose(np.sum(result * given), np.sum(image * back), rtol=1e-9)


def test_transposes_of_any_rank_are_those_of_their_convolutions():
    line, volume = draw((1, 3, 2)), draw((1, 2, 2, 2, 2))
    filters, cubes = draw((3, 4, 2)), draw((2, 2, 2, 1, 2))
    np.testing.assert_array_equal(
        nn.conv_transpose(line, filters, [1, 6, 4], 2),
        nn.conv1d_transpose(line, filters, [1, 6, 4], 2),
    )
    np.testing.assert_array_equal(
        nn.conv_transpose(volume, cubes, [1, 4, 4, 4, 1], 2),
        nn.conv3d_transpose(volume, cubes, [1, 4, 4, 4, 1], 2),
    )
    image, squares = draw((1, 3, 3, 2)), draw((2, 2, 1, 2))
    np.testing.assert_array_equal(
        nn.atrous_conv2d_transpose(image, squares, [1, 5, 5, 1], 2, "VALID"),
        nn.conv2d_transpose(image, squares, [1, 5, 5, 1], 1, "VALID", dilations=2),
    )


def test_depthwise_is_a_convolution_in_groups_of_one():
    image, filters = draw((2, 6, 5, 3)), draw((3, 2, 3, 2))
    found = nn.depthwise_conv2d(image, filters, [1, 2, 2, 1], "SAME")
    grouped = nn.conv2d(image, filters.reshape(3, 2, 1, 6), 2, "SAME")
    np.testing.assert_allclose(found, grouped, rtol=1e-9)
    mixing = draw((1, 1, 6, 4))
    np.testing.assert_allclose(
        nn.separable_conv2d(image, filters, mixing, [1, 2, 2, 1], "SAME"),
        nn.conv2d(grouped, mixing, 1, "VALID"),
        rtol=1e-9,
    )


def test_backprop_functions_are_the_gradients_of_depthwise_conv2d():
    image, filters = tf.constant(draw((1, 5, 6, 2))), tf.constant(draw((3, 2, 2, 2)))
    strides = [1, 1, 1, 1]
    with tf.GradientTape() as tape:
        tape.watch([image, filters])
        result = nn.depthwise_conv2d(image, filters, strides, "SAME")
    seed = tf.constant(draw(result.shape))
    dx, dw = tape.gradient(result, [image, filters], seed)
    np.testing.assert_array_equal(
        nn.depthwise_conv2d_backprop_input(image.shape, filters, seed, strides, "SAME"), dx
    )
    np.testing.assert_array_equal(
        nn.depthwise_conv2d_backprop_filter(image, filters.shape, seed, strides, "SAME"), dw
    )


def test_dilation_and_erosion_are_extremes_of_sums_and_differences():
    image, weights = draw((1, 4, 5, 2)), draw((2, 2, 2))
    ones = [1, 1, 1, 1]
    windows = np.lib.stride_tricks.sliding_window_view(image[0], (2, 2), (0, 1))
    windows = np.moveaxis(windows, 2, -1)
    np.testing.assert_array_equal(
        nn.dilation2d(image, weights, ones, "VALID", "NHWC", ones)[0],
        (windows + weights).max((2, 3)),
    )
    np.testing.assert_array_equal(
        nn.erosion2d(image, weights, ones, "VALID", "NHWC", ones)[0],
        (windows - weights[::-1, ::-1]).min((2, 3)),
    )


def test_a_filter_adds_nothing_to_padding_in_dilation_and_erosion():
    ones = [1, 1, 1, 1]
    image = tf.ones([1, 3, 1, 1])
    for first, expected in [(np.inf, [2, np.inf, np.inf]), (np.nan, [2, np.nan, np.nan])]:
        weights = tf.reshape([first, 1.0, 1.0], [3, 1, 1])
        found = nn.dilation2d(image, weights, ones, "SAME", "NHWC", ones)
        np.testing.assert_array_equal(found[0, :, 0, 0], expected)
    whole, weights = tf.ones([1, 3, 1, 1], tf.int32), tf.reshape([-5, 1, 1], [3, 1, 1])
    found = nn.dilation2d(whole, weights, ones, "SAME", "NHWC", ones)
    np.testing.assert_array_equal(found[0, :, 0, 0], [2, 2, 2])
    found = nn.erosion2d(whole, weights, ones, "SAME", "NHWC", ones)
    np.testing.assert_array_equal(found[0, :, 0, 0], [0, 0, 0])


def test_no_images_and_no_windows_make_empty_results():
    filters = tf.ones([3, 3, 2, 4])
    none = tf.zeros([0, 5, 5, 2])
    with tf.GradientTape() as tape:
        tape.watch([none, filters])
        result = nn.conv2d(none, filters, 1, "SAME")
    assert result.shape == (0, 5, 5, 4)
    dx, dw = tape.gradient(result, [none, filters])
    assert dx.shape == (0, 5, 5, 2)
    np.testing.assert_array_equal(dw, np.zeros((3, 3, 2, 4)))
    assert nn.conv2d(tf.zeros([1, 2, 5, 2]), filters, 1, "VALID").shape == (1, 0, 3, 4)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "int32"])
def test_other_dtypes_are_kept(dtype):
    image = tf.cast(tf.ones([1, 4, 4, 300]), dtype)
    result = nn.conv2d(image, tf.cast(tf.ones([1, 1, 300, 1]), dtype), 1, "VALID")
    assert result.dtype == dtype
    assert np.all(result.numpy().astype(np.float64) == 300)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x, w: nn.conv2d(x, w[:, :, :1], 1, "FULL"), InvalidArgument, '"FULL" is not in'),
        (lambda x, w: nn.conv2d(x, w, 1, "SAME", "NWHC"), InvalidArgument, "data_format"),
        (lambda x, w: nn.conv2d(x, w[:, :, :2], 1, "SAME"), InvalidArgument, "3 vs 2"),
        (lambda x, w: nn.conv2d(x, w[:, :, :1, :2], 1, "SAME"), InvalidArgument, "groups: 2 vs 3"),
        (lambda x, w: nn.conv2d(x[0], w, 1, "SAME"), InvalidArgument, "at least 4-dimensional"),
        (lambda x, w: nn.conv2d(x, w[0], 1, "SAME"), InvalidArgument, "filter must be 4-dim"),
        (lambda x, w: nn.conv2d(x, w, 0, "SAME"), InvalidArgument, "must be > 0"),
        (lambda x, w: nn.conv2d(x, w, [1, 2, 1], "SAME"), ValueError, "length 1, 2 or 4"),
        (
            lambda x, w: nn.conv2d(x, w, [2, 1, 1, 1], "SAME"),
            tf.errors.UnimplementedError,
            "batch and depth",
        ),
        (lambda x, w: nn.conv2d(x, w, 1, [[1, 1], [0, 0]]), ValueError, "of size 4"),
        (
            lambda x, w: nn.conv2d(x, w, 1, [[1, 1], [0, 0], [0, 0], [0, 0]]),
            InvalidArgument,
            "explicit padding",
        ),
        (lambda x, w: nn.conv2d(x[:, :1], w, 1, "VALID", dilations=2), InvalidArgument, "negative"),
        (lambda x, w: nn.conv2d(x, tf.cast(w, tf.float64), 1, "SAME"), InvalidArgument, "double"),
        (lambda x, w: nn.convolution(x, w, 2, dilations=2), ValueError, "not supported"),
        (lambda x, w: nn.convolution(x, w[0, 0]), ValueError, "must be 1, 2, or 3"),
        (
            lambda x, w: nn.conv2d_transpose(x, w, [1, 9, 9, 3], 2),
            InvalidArgument,
            "doesn't match",
        ),
        (lambda x, w: nn.conv2d_transpose(x, w, [8, 8], 2), InvalidArgument, "4 elements"),
        (
            lambda x, w: nn.depthwise_conv2d(x, w[:, :, :2], [1] * 4, "SAME"),
            InvalidArgument,
            "same depth",
        ),
        (
            lambda x, w: nn.separable_conv2d(x, w, w, [1] * 4, "SAME"),
            ValueError,
            "height and width 1",
        ),
        (
            lambda x, w: nn.dilation2d(x, w[0], [1] * 4, "SAME", "NCHW", [1] * 4),
            ValueError,
            "NHWC",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(tf.zeros([1, 4, 4, 3]), tf.zeros([2, 2, 3, 3]))


def test_neighboring_windows_are_taken_together_only_where_nothing_is_infinite():
    """A pixel outside of all windows does not count, not even if it is NaN."""
    image, filters = np.ones((1, 4, 8, 1), np.float32), tf.ones([3, 3, 1, 2])
    image[0, 1, 3, 0] = np.nan
    found = np.isnan(tf.nn.conv2d(image, filters, 1, "SAME").numpy()[0, ..., 0])
    expected = np.zeros((4, 8), bool)
    expected[:3, 2:5] = True
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("strides", "rates"),
    [([1, 1], [1, 1]), ([2, 1], [1, 1]), ([2, 2], [1, 1]), ([1, 1], [2, 1]), ([1, 1], [1, 2])],
)
@pytest.mark.parametrize("multiplier", [1, 2])
def test_depthwise_convolution_is_one_convolution_for_each_channel(strides, rates, multiplier):
    rng = np.random.default_rng(0)
    image, filters = rng.normal(size=(2, 7, 8, 3)), rng.normal(size=(3, 2, 3, multiplier))
    both = [tf.Variable(image), tf.Variable(filters)]
    steps = [1, *strides, 1]

    def one_by_one(x, w):
        pairs = zip(tf.split(x, 3, -1), tf.split(w, 3, 2), strict=True)
        return tf.concat([tf.nn.conv2d(a, b, steps, "SAME", "NHWC", rates) for a, b in pairs], -1)

    def together(x, w):
        return tf.nn.depthwise_conv2d(x, w, steps, "SAME", None, rates)

    results = []
    for function in (one_by_one, together):
        with tf.GradientTape() as tape:
            y = function(*both)
            loss = tf.reduce_sum(y**2)
        results.append([y, *tape.gradient(loss, both)])
    for ours, theirs in zip(*results, strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(
    "twice", [2, [2, 2], (1, 2, 2, 1), np.int64(2), np.array([2, 2]), tf.constant([2, 2])], ids=str
)
def test_strides_are_whole_numbers_of_any_kind(twice):
    image, filters = tf.ones([1, 5, 5, 1]), tf.ones([1, 1, 1, 1])
    assert nn.conv2d(image, filters, twice, "VALID").shape == [1, 3, 3, 1]
    assert nn.conv2d(image, filters, 1, "VALID", dilations=twice).shape == [1, 5, 5, 1]
    assert nn.max_pool2d(image, 1, twice, "VALID").shape == [1, 3, 3, 1]


@pytest.mark.parametrize("wrong", [2.5, [2.0, 2.0], "2", tf.constant(2.0), tf.constant([2.0, 2.0])])
def test_strides_that_are_no_whole_numbers_are_refused(wrong):
    with pytest.raises(TypeError, match="Expected int for argument 'strides' not "):
        nn.conv2d(tf.ones([1, 5, 5, 1]), tf.ones([1, 1, 1, 1]), wrong, "VALID")
