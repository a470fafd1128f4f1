"""Derivatives where TensorFlow's are wrong or missing, against finite differences."""

import numpy as np
import pytest

import cinta as tf
from tests.checking import check_gradients

RANDOM = np.random.default_rng(7)


def real(*shape):
    return RANDOM.uniform(0.5, 1.5, shape)


def complex_numbers(*shape):
    return real(*shape) + 1j * real(*shape)


def batch_norm_in_inference(mean, variance):
    x = tf.reshape(tf.linspace(tf.constant(-1.0, tf.float64), 2.0, 24), [2, 2, 2, 3])
    ones = tf.ones([3], tf.float64)
    return tf.compat.v1.nn.fused_batch_norm(x, ones, ones, mean, variance, is_training=False)[0]


def grouped(filters):
    return tf.nn.conv2d(tf.ones([1, 4, 4, 4], tf.float64), filters, 1, "SAME")


def dilated(filters):
    return tf.nn.conv2d(tf.ones([1, 5, 5, 2], tf.float64), filters, 1, "SAME", dilations=2)


CASES = {
    "cumprod": (tf.math.cumprod, complex_numbers(3)),
    "segment_prod": (lambda x: tf.math.segment_prod(x, [0, 0, 1]), complex_numbers(3)),
    "moments": (lambda x: tf.stack(tf.nn.moments(x * x, [0])), real(3, 2)),
    "det": (tf.linalg.det, complex_numbers(2, 2)),
    "squared_difference": (tf.math.squared_difference, complex_numbers(2), complex_numbers(2)),
    "xlogy": (tf.math.xlogy, complex_numbers(2), complex_numbers(2)),
    "xlog1py": (tf.math.xlog1py, complex_numbers(2), complex_numbers(2)),
    "xdivy": (tf.math.xdivy, complex_numbers(2), complex_numbers(2)),
    "multiply_no_nan": (tf.math.multiply_no_nan, complex_numbers(2), complex_numbers(2)),
    "tridiagonal_solve": (
        lambda d, b: tf.linalg.tridiagonal_solve(d, b, partial_pivoting=False),
        complex_numbers(3, 3) + np.array([[0], [4], [0]]),
        complex_numbers(3, 1),
    ),
    "reduce_euclidean_norm": (tf.math.reduce_euclidean_norm, complex_numbers(3)),
    "eigh_tridiagonal": (tf.linalg.eigh_tridiagonal, real(3), real(2)),
    "softmax_cross_entropy_with_logits": (
        lambda labels, logits: tf.nn.softmax_cross_entropy_with_logits(labels, logits),
        real(2, 3),  # they do not sum to one
        real(2, 3),
    ),
    "sqrtm": (tf.linalg.sqrtm, complex_numbers(2, 2) + 3 * np.eye(2)),
    "silu": (tf.nn.silu, complex_numbers(3)),
    "svd": (lambda x: tf.linalg.svd(x, compute_uv=False), complex_numbers(2, 3)),
    "softsign": (tf.nn.softsign, real(3)),
    "rfft": (lambda x: tf.abs(tf.signal.rfft(x, [3])), real(5)),
    "irfft": (lambda x: tf.signal.irfft(x, [3]) ** 2, complex_numbers(4)),
    "transpose": (lambda x: tf.transpose(x * x, [0, -1, -2]), real(1, 2, 3)),
    "gather_nd": (lambda x: tf.gather_nd(x * x, [1, 0]), real(2, 2)),
    "fftnd": (lambda x: tf.abs(tf.signal.fftnd(x, [2, 2], [0, 1])), complex_numbers(2, 2)),
    "filters in groups": (grouped, real(2, 2, 2, 4)),
    "dilated filters": (dilated, real(2, 2, 2, 3)),
    "pool3d": (lambda x: tf.nn.avg_pool3d(x * x, 2, 1, "SAME"), real(1, 2, 2, 2, 1)),
    "fused_batch_norm": (batch_norm_in_inference, real(3), real(3)),
    "pinv": (tf.linalg.pinv, complex_numbers(2, 3)),
    "lstsq": (lambda a, b: tf.linalg.lstsq(a, b, fast=False), real(3, 2), real(3, 1)),
    "local_response_normalization": (tf.nn.local_response_normalization, real(1, 1, 1, 4)),
    "MatrixDiagV2": (
        lambda x: tf.raw_ops.MatrixDiagV2(
            diagonal=x * x, k=[0, 1], num_rows=3, num_cols=3, padding_value=0.0
        ),
        real(2, 3),
    ),
    "LinSpace": (lambda a, b: tf.raw_ops.LinSpace(start=a, stop=b, num=4) ** 2, 1.0, 3.0),
    "MatrixSolveLs": (
        lambda r: tf.raw_ops.MatrixSolveLs(
            matrix=np.eye(3, 2) + 0.1, rhs=np.ones((3, 1)), l2_regularizer=r
        ),
        0.5,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_derivatives_are_those_of_finite_differences(case):
    function, *inputs = CASES[case]
    check_gradients(function, *inputs, rtol=1e-4, atol=1e-5)


def in_single_precision(rows):
    filters = tf.constant(np.ones((2, 2, 1, 2), np.float32))
    return tf.nn.depthwise_conv2d(tf.reshape(rows, [1, 2, 3, 1]), filters, [1, 1, 1, 1], "SAME")


MAPS = {
    "roll": lambda x: tf.roll(x * x, 1, -1),
    "segment_sum": lambda x: tf.sparse.segment_sum(x * x, [0, 1, 1], [0, 0, 2], num_segments=4),
    "matmul": lambda x: tf.matmul(x, tf.reshape(x, [1, 3, 2])),
    "filters in groups": in_single_precision,
    "einsum": lambda x: tf.einsum("ii->i", tf.matmul(x, x, transpose_b=True)),
}


@pytest.mark.parametrize("name", MAPS)
def test_jacobians_are_made_of_the_gradients_of_elements(name):
    x = tf.Variable(np.arange(6, dtype=np.float32).reshape(2, 3) + 1)
    if name == "segment_sum":
        x = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2) + 1)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reshape(MAPS[name](x), [-1])
        parts = [y[k] for k in range(y.shape[0])]
    rows = [tf.convert_to_tensor(tape.gradient(part, x)).numpy() for part in parts]
    np.testing.assert_allclose(tape.jacobian(y, x).numpy(), rows, rtol=1e-6)


def test_the_second_derivative_of_cross_entropy_by_logits_and_then_by_labels():
    labels, logits = tf.Variable([0.25, 0.75]), tf.Variable([0.0, 0.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            loss = tf.nn.softmax_cross_entropy_with_logits(labels, logits)
        slope = tape.gradient(loss, logits)
    # slope = softmax * sum(labels) - labels
    assert outer.jacobian(slope, labels).numpy().tolist() == [[-0.5, 0.5], [0.5, -0.5]]


def test_what_equal_singular_values_determine_has_its_gradient():
    x = tf.Variable(2 * np.eye(2))
    with tf.GradientTape() as tape:
        _, u, v = tf.linalg.svd(x)
        nearest_rotation = tf.matmul(u, v, adjoint_b=True)
    jacobian = tape.jacobian(nearest_rotation, x).numpy()
    np.testing.assert_allclose(jacobian[0, 1], [[0, 0.25], [-0.25, 0]], atol=1e-12)


def test_the_nearest_pixel_does_not_move_with_the_box():
    boxes = tf.Variable([[0.0, 0.0, 0.5, 0.5]])
    image = tf.constant(np.arange(16.0, dtype=np.float32).reshape(1, 4, 4, 1))
    with tf.GradientTape() as tape:
        y = tf.image.crop_and_resize(image, boxes, [0], [2, 2], "nearest")
    assert tape.gradient(y, boxes) is None


@pytest.mark.parametrize("function", [tf.nn.elu, tf.nn.selu])
def test_slopes_at_nan_are_nan(function):
    x = tf.Variable(np.nan)
    with tf.GradientTape() as tape:
        y = function(x)
    assert np.isnan(tape.gradient(y, x).numpy())


def test_incomplete_gamma_functions_are_flat_where_the_density_vanishes():
    x = tf.Variable(1.5)
    for function in (tf.math.igamma, tf.math.igammac):
        for a in (0.0, -1.0):
            with tf.GradientTape() as tape:
                y = function(a, x)
            assert tape.gradient(y, x).numpy() == 0


def test_no_gradient_flows_from_a_result_of_identity_n_to_another_input():
    x, y = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        a, _ = tf.identity_n([x, y])
    assert tape.gradient(a, y) is None


def test_the_integers_of_top_k_have_no_gradient():
    x = tf.Variable([1.0, 3.0, 2.0])
    with tf.GradientTape() as tape:
        indices = tf.math.top_k(x, 2).indices
    with pytest.warns(UserWarning, match="must be floating"):
        assert tape.gradient(indices, x) is None


def test_resizing_in_double_precision_has_gradients_by_every_kernel():
    x = tf.Variable(real(1, 3, 3, 1))
    for method in ("bicubic", "lanczos3", "gaussian", "mitchellcubic"):
        with tf.GradientTape() as tape:
            y = tf.image.resize(x, [6, 6], method)
        # the weights of each new pixel sum to one
        assert tf.reduce_sum(tape.gradient(y, x)).numpy() == pytest.approx(36, rel=1e-5)


def test_a_watch_holds_for_a_tape_that_resumes():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6


def test_an_unwatched_tensor_depends_on_itself():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        pass
    assert tape.jacobian(x, x).numpy().tolist() == [[1, 0], [0, 1]]


def test_special_functions_have_limits_at_infinity_and_at_poles():
    special, x = tf.math.special, tf.Variable(np.inf)
    with tf.GradientTape() as tape:
        y = special.dawsn(x)
    assert tape.gradient(y, x).numpy() == 0
    found = special.expint([np.inf, -1.0, -np.inf]).numpy()
    np.testing.assert_allclose(found, [np.inf, -0.21938393, 0], rtol=1e-6)
    assert special.bessel_y1(0.0).numpy() == -np.inf
