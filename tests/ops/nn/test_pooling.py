"""Pooling: values, padding, ties, where the largest elements stand."""

import numpy as np
import pytest

import cinta as tf

nn = tf.nn
InvalidArgument = tf.errors.InvalidArgumentError
Unimplemented = tf.errors.UnimplementedError
IMAGE = np.random.default_rng(0).standard_normal((2, 6, 7, 3))


def windows(image, size, stride):
    """All windows of a batch of images, places in a window last."""
    seen = np.lib.stride_tricks.sliding_window_view(image, (size, size), (1, 2))
    return seen[:, ::stride, ::stride].reshape(*seen[:, ::stride, ::stride].shape[:4], -1)


@pytest.mark.parametrize(("size", "stride"), [(2, 2), (3, 1), (2, 3)])
def test_values_inside_of_the_image(size, stride):
    seen = windows(IMAGE, size, stride)
    np.testing.assert_array_equal(nn.max_pool2d(IMAGE, size, stride, "VALID"), seen.max(-1))
    np.testing.assert_allclose(nn.avg_pool2d(IMAGE, size, stride, "VALID"), seen.mean(-1))


def test_padding_counts_neither_as_large_nor_in_means():
    below = tf.fill([1, 2, 2, 1], -1.0)
    around = [[0, 0], [1, 1], [1, 1], [0, 0]]
    for padding in ("SAME", around):
        assert np.all(nn.max_pool2d(below, 2, 1, padding).numpy() == -1)
        assert np.all(nn.avg_pool2d(below, 2, 1, padding).numpy() == -1)


def test_channels_may_come_first_and_the_rank_is_found():
    turned = np.moveaxis(IMAGE, -1, 1)
    for pool in (nn.max_pool2d, nn.max_pool, nn.avg_pool2d, nn.avg_pool):
        expected = np.moveaxis(pool(IMAGE, 3, 2, "SAME").numpy(), -1, 1)
        np.testing.assert_array_equal(pool(turned, 3, 2, "SAME", data_format="NCHW"), expected)
    np.testing.assert_array_equal(
        nn.max_pool1d(IMAGE[0], 2, 2, "SAME"), nn.max_pool(IMAGE[0], 2, 2, "SAME")
    )
    np.testing.assert_array_equal(
        nn.avg_pool3d(IMAGE[None], 2, 2, "SAME"), nn.avg_pool(IMAGE[None], 2, 2, "SAME")
    )


def test_the_gradient_goes_to_the_first_of_equal_elements():
    even = tf.ones([1, 3, 3, 1])
    with tf.GradientTape() as tape:
        tape.watch(even)
        y = nn.max_pool2d(even, 2, 1, "VALID")
    np.testing.assert_array_equal(
        tape.gradient(y, even)[0, :, :, 0], [[1, 1, 0], [1, 1, 0], [0, 0, 0]]
    )


def test_an_infinite_gradient_stays_where_it_belongs():
    x = tf.reshape(tf.constant([1.0, 2.0, 3.0]), [1, 3, 1])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = nn.max_pool1d(x, 3, 1, "VALID")
    found = tape.gradient(y, x, tf.constant([[[np.inf]]], tf.float32))
    np.testing.assert_array_equal(found[0, :, 0], [0, 0, np.inf])


def test_second_derivatives_are_zero_for_the_largest_and_none_for_the_mean():
    for pool, expected in ((nn.max_pool2d, 0.0), (nn.avg_pool2d, None)):
        x = tf.constant(IMAGE)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = pool(x, 2, 2, "VALID")
            slope = inner.gradient(y, x)
        second = outer.gradient(slope, x)
        assert second is None if expected is None else np.all(second.numpy() == 0)


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("with_batch", [False, True])
def test_argmax_says_where_the_largest_elements_stand(padding, with_batch):
    largest, where = nn.max_pool_with_argmax(
        IMAGE, 3, 2, padding, output_dtype=tf.int32, include_batch_in_index=with_batch
    )
    assert where.dtype == tf.int32
    flat = IMAGE.reshape(-1) if with_batch else IMAGE.reshape(2, -1)
    found = flat[where] if with_batch else np.stack([flat[k][where[k]] for k in range(2)])
    np.testing.assert_array_equal(found, largest)
    np.testing.assert_array_equal(largest, nn.max_pool2d(IMAGE, 3, 2, padding))


def test_pool_sees_every_other_place():
    line = tf.reshape(tf.constant([3.0, 9.0, 1.0, 5.0, 2.0]), [1, 5, 1])
    found = nn.pool(line, [2], "MAX", dilations=[2])
    np.testing.assert_array_equal(found[0, :, 0], [3, 9, 2])
    np.testing.assert_array_equal(
        nn.pool(IMAGE, [2, 3], "AVG", [2, 1], "SAME"),
        nn.avg_pool2d(IMAGE, [2, 3], [2, 1], "SAME"),
    )


def test_integers_have_a_largest_but_no_mean():
    numbers = tf.constant([[[[3], [-7]], [[5], [0]]]])
    assert nn.max_pool2d(numbers, 3, 1, "SAME").numpy().max() == 5
    with pytest.raises(InvalidArgument, match="int32 is not in the list"):
        nn.avg_pool2d(numbers, 2, 2, "VALID")


def test_half_precision_is_added_in_single_precision():
    x = tf.ones([1, 64, 64, 1], tf.float16)
    assert nn.avg_pool2d(x, 64, 1, "VALID").numpy().item() == 1
    assert nn.avg_pool2d(x, 64, 1, "VALID").dtype == tf.float16


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: nn.max_pool2d(x[0], 2, 2, "VALID"), InvalidArgument, "must be 4-dimensional"),
        (lambda x: nn.max_pool(x[0, 0], 2, 2, "VALID"), ValueError, "must be 3, 4 or 5.*of rank 2"),
        (lambda x: nn.max_pool2d(x, 0, 2, "VALID"), InvalidArgument, "must be > 0"),
        (lambda x: nn.max_pool2d(x, 9, 2, "VALID"), InvalidArgument, "negative"),
        (lambda x: nn.pool(x, [2, 2], "SUM"), ValueError, "'MAX' or 'AVG'"),
        (lambda x: nn.pool(x, [2, 2], "MAX", 2, dilations=2), ValueError, "not supported"),
        (
            lambda x: nn.max_pool_with_argmax(x, 2, 2, "VALID", "NCHW"),
            ValueError,
            "must be NHWC",
        ),
    ],
)
def test_what_does_not_fit_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(IMAGE)


@pytest.mark.parametrize("pool", [nn.max_pool2d, nn.max_pool])
def test_the_largest_of_groups_of_channels(pool):
    image = tf.constant(np.arange(16.0).reshape(1, 2, 2, 4) * [1, -1, 1, 1])
    with tf.GradientTape() as tape:
        tape.watch(image)
        y = pool(image, [1, 1, 1, 2], [1, 1, 1, 2], "VALID")
    expected = image.numpy().reshape(1, 2, 2, 2, 2).max(-1)
    np.testing.assert_array_equal(y, expected)
    largest = np.repeat(expected, 2, axis=-1) == image.numpy()
    largest[0, 0, 0, 1] = False  # of 0 and -0 the first one
    np.testing.assert_array_equal(tape.gradient(y, image), largest.astype(float))


@pytest.mark.parametrize(
    ("shape", "strides", "padding", "error", "message"),
    [
        ([2, 2, 4], [1, 1, 1, 2], "VALID", InvalidArgument, "must be 4-dimensional"),
        ([1, 2, 2, 4], [1, 1, 1, 2], "FULL", InvalidArgument, 'allowed values: "SAME"'),
        ([1, 2, 2, 4], [1, 1, 1, 2], [[0, 0]] * 4, Unimplemented, "explicit padding"),
        ([1, 2, 2, 4], [2, 1, 1, 2], "VALID", Unimplemented, "batch and depth"),
        ([1, 2, 2, 4], [1, 0, 1, 2], "VALID", InvalidArgument, "must be > 0"),
        ([1, 2, 2, 4], [1, 2, 2], "VALID", ValueError, "of length 1, 2 or 4"),
        ([1, 2, 2, 4], 2, "VALID", Unimplemented, "equal the depth stride"),
    ],
)
def test_groups_of_channels_that_do_not_fit_are_refused(shape, strides, padding, error, message):
    with pytest.raises(error, match=message):
        nn.max_pool2d(tf.ones(shape), [1, 1, 1, 2], strides, padding)
