"""Tensors and arrays of several dtypes in one call: nothing is narrowed in silence."""

import numpy as np
import pytest

import cinta as tf

EYE, ONES, LINE = tf.eye(2), np.ones((2, 2)), np.ones((1, 3, 1))
POINT = tf.ones([1, 1, 1])
IMAGE = tf.ones([1, 12, 12, 1])

REFUSED = {
    "matmul": lambda: tf.matmul(ONES, EYE),
    "matmul of whole numbers": lambda: tf.matmul(np.ones((2, 2), int), EYE),
    "matmul of an array and a wider tensor": lambda: tf.matmul(EYE.numpy(), tf.constant(ONES)),
    "matvec, first": lambda: tf.linalg.matvec(ONES, EYE[0]),
    "matvec, second": lambda: tf.linalg.matvec(EYE, ONES[0]),
    "tensordot, first": lambda: tf.tensordot(ONES, EYE, 1),
    "tensordot, second": lambda: tf.tensordot(EYE, ONES, 1),
    "multiply_no_nan": lambda: tf.math.multiply_no_nan(ONES, EYE),
    "lstsq": lambda: tf.linalg.lstsq(ONES, EYE),
    "tridiagonal_solve": lambda: tf.linalg.tridiagonal_solve(tf.ones([3, 2]), ONES[0]),
    "searchsorted, first": lambda: tf.searchsorted(np.ones(2), tf.ones([1])),
    "searchsorted, second": lambda: tf.searchsorted(tf.ones([2]), np.ones(1)),
    "histogram_fixed_width": lambda: tf.histogram_fixed_width(
        EYE, tf.constant([0.0, 1.0], "double")
    ),
    "histogram_fixed_width_bins": lambda: tf.histogram_fixed_width_bins(EYE, np.array([0.0, 1.0])),
    "conv1d, image": lambda: tf.nn.conv1d(LINE, POINT, 1, "SAME"),
    "conv1d, filters": lambda: tf.nn.conv1d(POINT, np.ones((1, 1, 1)), 1, "SAME"),
    "convolution": lambda: tf.nn.convolution(LINE, POINT),
    "atrous_conv2d": lambda: tf.nn.atrous_conv2d(IMAGE, np.ones((1, 1, 1, 1)), 2, "SAME"),
    "atrous_conv2d_transpose": lambda: tf.nn.atrous_conv2d_transpose(
        np.ones((1, 2, 2, 1)), tf.ones([1, 1, 1, 1]), [1, 2, 2, 1], 2, "SAME"
    ),
    "conv1d_transpose": lambda: tf.nn.conv1d_transpose(LINE, POINT, [1, 3, 1], 1),
    "depthwise_conv2d": lambda: tf.nn.depthwise_conv2d(
        IMAGE, np.ones((1, 1, 1, 1)), [1] * 4, "SAME"
    ),
    "sigmoid_cross_entropy_with_logits": lambda: tf.nn.sigmoid_cross_entropy_with_logits(ONES, EYE),
    "weighted_cross_entropy_with_logits": lambda: tf.nn.weighted_cross_entropy_with_logits(
        ONES, EYE, 1.0
    ),
    "log_poisson_loss": lambda: tf.nn.log_poisson_loss(ONES, EYE),
    "ssim": lambda: tf.image.ssim(IMAGE, np.ones((1, 12, 12, 1)), 1.0),
    "assert_less": lambda: tf.debugging.assert_less(tf.constant([1, 2]), np.array([2.5, 3.0])),
    "assert_none_equal": lambda: tf.debugging.assert_none_equal(np.array([1]), tf.constant([2])),
    "assert_near": lambda: tf.debugging.assert_near(ONES, tf.ones([2, 2])),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_an_array_keeps_its_dtype_where_tensorflow_converts_inputs_one_by_one(call):
    with pytest.raises(tf.errors.InvalidArgumentError, match="was expected to be a"):
        call()


def test_diagonals_of_two_dtypes_are_refused_in_tensorflows_way():
    with pytest.raises(ValueError, match="must have the same type"):
        tf.linalg.eigh_tridiagonal(np.ones(2), tf.ones([1]))


TAKEN = {
    "matmul, second": lambda: tf.matmul(EYE, ONES),
    "matmul of a list": lambda: tf.matmul([[1.0, 2.0]], EYE),
    "einsum": lambda: tf.einsum("ij,jk", ONES, EYE),
    "solve": lambda: tf.linalg.solve(ONES + np.eye(2), EYE),
    "lstsq, second": lambda: tf.linalg.lstsq(EYE, ONES),
    "banded_triangular_solve": lambda: tf.linalg.banded_triangular_solve(ONES, EYE),
    "conv2d": lambda: tf.nn.conv2d(np.ones((1, 2, 2, 1)), tf.ones([1, 1, 1, 1]), 1, "SAME"),
    "conv2d_transpose, filters of another width": lambda: tf.nn.conv2d_transpose(
        np.ones((1, 1, 1, 1)), np.ones((1, 1, 1, 1), np.float32), [1, 1, 1, 1], 1
    ),
    "depthwise_conv2d_backprop_input, likewise": lambda: tf.nn.depthwise_conv2d_backprop_input(
        [1, 1, 1, 1], POINT[None].numpy(), np.ones((1, 1, 1, 1)), [1] * 4, "SAME"
    ),
    "betainc": lambda: tf.math.betainc(EYE[0], np.ones(2), np.float64(0.5)),
    "batch_normalization": lambda: tf.nn.batch_normalization(EYE, ONES, 1.0, None, None, 0.1),
    "clip_by_norm": lambda: tf.clip_by_norm(EYE, tf.constant(1.0, tf.float64)),
}


@pytest.mark.parametrize("call", TAKEN.values(), ids=TAKEN)
def test_an_array_takes_the_dtype_of_the_tensor_where_it_does_in_tensorflow(call):
    assert call().dtype == tf.float32


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("int8", "uint8", "int32"),
        ("uint8", "bfloat16", "bfloat16"),
        ("float32", "float64", "float64"),
    ],
)
def test_a_product_of_two_dtypes_has_the_dtype_that_was_asked_for(first, second, wanted):
    a, b = tf.cast([[100], [3]], first), tf.cast([[3, 200]], second)
    result = tf.matmul(a, b, output_type=wanted)
    assert result.dtype == wanted
    assert tf.cast(result[0, 0], tf.float32) == 300.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.matmul(a, b)


def test_shapes_that_numpy_computed_may_be_whole_floats():
    half = np.array([2.0, 2.0])
    assert tf.zeros(half).shape == (2, 2)
    assert tf.reshape(tf.range(4), np.array([2.0, -1.0])).shape == (2, 2)
    assert tf.tile([1, 2], np.array([2.0])).shape == (4,)
    assert tf.image.resize(tf.ones([4, 4, 1]), half).shape == (2, 2, 1)


@pytest.mark.parametrize("size", [np.array([2.5]), np.array([np.inf]), np.array([np.nan])])
def test_shapes_that_are_not_whole_are_refused(size):
    with pytest.raises(tf.errors.InvalidArgumentError, match="whole numbers"):
        tf.tile([1, 2], size)
    with pytest.raises(ValueError, match="size"):
        tf.image.resize(tf.ones([4, 4, 1]), np.array([*size, 2.0]))


def test_weights_that_sum_to_zero_give_moments_of_zero():
    x = tf.constant([[1.0, 2.0, 4.0], [1.0, 2.0, 3.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        mean, variance = tf.nn.weighted_moments(x, [1], [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    assert mean.numpy().tolist() == [0.0, 2.0]
    np.testing.assert_allclose(variance, [0.0, 2 / 3], rtol=1e-6)
    gradient = tape.gradient(variance, x).numpy()
    np.testing.assert_allclose(gradient, [[0, 0, 0], [-2 / 3, 0, 2 / 3]], atol=1e-6)
