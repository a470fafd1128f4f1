"""Reductions, norms and clipping where it matters: ties, zeros, infinities, emptiness, errors."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import gradient, refuses

INF, NAN = np.inf, np.nan


# -- values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(100_000,), (20_480, 3), (300, 200), (3, 300, 100), (5, 9000)])
def test_sums_of_large_arrays_are_as_exact_as_those_of_numpy(shape, dtype):
    x = np.random.default_rng(0).uniform(0.5, 1.5, shape).astype(dtype)
    bound = 1e-5 if dtype == np.float32 else 1e-13
    for axis in (None, 0, -1, tuple(range(1, len(shape)))):
        exact = x.sum(axis, dtype=np.longdouble).astype(np.float64)
        for keepdims in (False, True):
            total = tf.reduce_sum(tf.constant(x), axis, keepdims)
            assert total.dtype == dtype
            assert total.shape == np.sum(x, axis, keepdims=keepdims).shape
            np.testing.assert_allclose(np.ravel(total), np.ravel(exact), rtol=bound)
            mean = tf.reduce_mean(tf.constant(x), axis, keepdims)
            np.testing.assert_allclose(mean, total * (np.size(exact) / x.size), rtol=bound)


def test_a_long_sum_of_equal_numbers_does_not_drift():
    x = tf.fill([3_000_001], 0.1)
    np.testing.assert_allclose(tf.reduce_sum(x), 3_000_001 * float(np.float32(0.1)), rtol=5e-6)


def test_a_strided_array_is_summed_rightly():
    x = tf.transpose(tf.reshape(tf.range(40_000.0), [100, 400]))
    assert tf.reduce_sum(x[:, :2]).numpy() == sum(range(800))
    np.testing.assert_allclose(tf.reduce_sum(x, 1)[0], sum(range(0, 40_000, 400)))


def test_half_precision_is_added_in_single_precision():
    x = tf.ones([5000], tf.float16)
    assert tf.reduce_sum(x).numpy() == 5000.0
    assert tf.reduce_mean(tf.cast(x, tf.bfloat16)).dtype == tf.bfloat16


def test_ints_stay_ints_and_their_mean_is_cut_off_towards_zero():
    x = tf.constant([[1, 2], [4, -14]])
    results = [f(x) for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_prod, tf.reduce_max)]
    assert [r.numpy() for r in results] == [-7, -1, -112, 4]
    assert {r.dtype for r in results} == {tf.int32}
    assert tf.reduce_sum(tf.constant([200, 100], tf.uint8)).numpy() == 44


@pytest.mark.filterwarnings("ignore:invalid value")
def test_reductions_of_nothing_give_the_neutral_element():
    empty = tf.zeros([0, 2])
    expected = {
        tf.reduce_sum: 0.0,
        tf.reduce_mean: NAN,
        tf.reduce_prod: 1.0,
        tf.reduce_max: -INF,
        tf.reduce_min: INF,
        tf.math.reduce_euclidean_norm: 0.0,
    }
    for function, value in expected.items():
        np.testing.assert_equal(function(empty, axis=0).numpy(), np.float32([value, value]))
        assert gradient(lambda x, f=function: f(x, axis=0), np.zeros((0, 2))).shape == (0, 2)
    assert tf.reduce_max(tf.zeros([0], tf.int32)).numpy() == np.iinfo(np.int32).min
    assert not tf.reduce_any(tf.zeros([0], tf.bool)).numpy()
    assert tf.reduce_all([[]]).numpy()  # an empty list is one of bools here
    assert tf.reduce_all(tf.zeros([0], tf.bool)).numpy()


def test_no_axes_reduce_nothing_and_a_scalar_is_its_own_sum():
    x = tf.constant([[1.0, 2.0]])
    for function in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_prod):
        np.testing.assert_array_equal(function(x, axis=[]), x)
        assert function(3.0).numpy() == 3.0
        np.testing.assert_array_equal(
            gradient(lambda x, f=function: f(x, axis=[]), x), [[1.0, 1.0]]
        )


def test_counting_and_locating():
    x = tf.constant([[0.0, 3.0, 3.0], [0.0, 0.0, -1.0]])
    assert tf.math.count_nonzero(x).numpy() == 3
    assert tf.math.count_nonzero(["a", ""]).numpy() == 1
    np.testing.assert_array_equal(tf.argmax(x, 1), [1, 0])
    np.testing.assert_array_equal(tf.argmin(x), [0, 1, 1])
    assert tf.argmin(x, 1, output_type=tf.int32).dtype == tf.int32
    assert tf.math.zero_fraction(x).numpy() == 0.5


# -- gradients at special points ---------------------------------------------------------------


def test_equal_extremes_share_the_gradient():
    x = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
    shares = [[0.0, 0.5, 0.5], [1 / 3, 1 / 3, 1 / 3]]
    np.testing.assert_allclose(gradient(lambda x: tf.reduce_max(x, 1), x), shares)
    np.testing.assert_allclose(gradient(lambda x: tf.reduce_min(x, 1), -x), shares)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_nan_is_not_hidden():
    x = np.array([1.0, NAN, 3.0])
    for function in (tf.reduce_max, tf.reduce_min, tf.reduce_logsumexp):
        assert np.isnan(function(tf.constant(x)).numpy())
        assert np.isnan(gradient(function, x)).all()


def test_a_product_is_differentiated_at_zeros_to_second_order():
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [2.0, 0.0, 3.0]), [0.0, 6.0, 0.0])
    np.testing.assert_array_equal(gradient(tf.reduce_prod, [0.0, 0.0, 3.0]), [0.0, 0.0, 0.0])
    x = tf.constant([0.0, 0.0, 3.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_prod(x)
        slope = inner.gradient(y, x)
    np.testing.assert_array_equal(outer.jacobian(slope, x), [[0, 3, 0], [3, 0, 0], [0, 0, 0]])


def test_logsumexp_neither_overflows_nor_loses_what_is_minus_infinity():
    assert tf.reduce_logsumexp([1e4, 1e4]).numpy() == np.float32(1e4 + np.log(2))
    assert tf.reduce_logsumexp([-INF, 2.0]).numpy() == 2.0
    np.testing.assert_array_equal(gradient(tf.reduce_logsumexp, [-INF, 2.0]), [0.0, 1.0])


@pytest.mark.filterwarnings("ignore:(divide by zero|invalid value|overflow)")
def test_a_norm_at_zero_has_no_gradient_but_where_nothing_depends_on_it():
    for norm in (tf.norm, tf.math.reduce_euclidean_norm):
        assert np.isnan(gradient(norm, [0.0, 0.0])).all()
        np.testing.assert_array_equal(gradient(lambda x, f=norm: 0.0 * f(x), [0.0, 0.0]), [0, 0])
    np.testing.assert_array_equal(gradient(lambda x: tf.norm(x, ord=1), [0.0, -2.0]), [0, -1])
    np.testing.assert_allclose(gradient(tf.math.l2_normalize, [0.0]), [1e6])


def test_clipping_changes_nothing_inside_and_at_zero():
    for x in ([0.3, 0.4], [0.0, 0.0]):
        clipped = tf.clip_by_norm(x, 1.0)
        np.testing.assert_allclose(clipped, x)
        np.testing.assert_allclose(gradient(lambda x: tf.clip_by_norm(x, 1.0), x), [1.0, 1.0])
    np.testing.assert_allclose(tf.clip_by_norm([3.0, 4.0], 1.0), [0.6, 0.8])
    np.testing.assert_array_equal(tf.clip_by_norm([3.0, 4.0], -1.0), [0.0, 0.0])


def test_clipping_at_zero_has_a_second_derivative():
    x = tf.constant([0.0, 0.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.clip_by_norm(x, 1.0)
        slope = inner.gradient(y, x)
    np.testing.assert_array_equal(outer.gradient(slope, x), [0.0, 0.0])


@pytest.mark.filterwarnings("ignore:invalid value")
def test_global_norm_passes_over_none_and_keeps_slices():
    slices = tf.IndexedSlices(tf.constant([[3.0]]), tf.constant([1]), [4, 1])
    clipped, norm = tf.clip_by_global_norm([slices, None, tf.constant(4.0)], 1.0)
    assert norm.numpy() == 5.0
    np.testing.assert_allclose(clipped[0].values, [[0.6]], rtol=1e-6)
    assert clipped[1] is None
    assert isinstance(tf.clip_by_norm(slices, 1.0), tf.IndexedSlices)
    assert tf.linalg.global_norm([]).numpy() == 0.0
    double = tf.constant([3.0, 4.0], tf.float64)
    (known,), _ = tf.clip_by_global_norm([double], 1.0, use_norm=tf.constant(5.0))
    np.testing.assert_allclose(known, [0.6, 0.8], rtol=1e-6)
    (broken,), _ = tf.clip_by_global_norm([tf.constant([INF, 1.0])], 1.0)
    assert np.isnan(broken.numpy()).all()


@pytest.mark.parametrize("ord", ["euclidean", 1, 2, 3, 0.5, INF])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_vector_norms_are_those_of_numpy(ord, axis):
    x = np.random.default_rng(1).standard_normal((3, 4))
    expected = np.linalg.norm(
        x.ravel() if axis is None else x, 2 if ord == "euclidean" else ord, axis
    )
    np.testing.assert_allclose(tf.norm(tf.constant(x), ord, axis), expected)


@pytest.mark.parametrize("ord", ["fro", "euclidean", 1, 2, INF])
@pytest.mark.parametrize("axis", [(0, 1), (1, 0), (-1, 0)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_matrix_norms_are_those_of_numpy(ord, axis, keepdims):
    x = np.random.default_rng(2).standard_normal((3, 4, 2))
    expected = np.linalg.norm(x, "fro" if ord == "euclidean" else ord, axis, keepdims)
    np.testing.assert_allclose(tf.norm(tf.constant(x), ord, axis, keepdims), expected)


def test_norms_of_complex_numbers():
    z = tf.constant([3j, 4.0 + 0j])
    assert tf.norm(z).numpy() == 5.0 + 0j
    assert tf.norm(z, ord=1).numpy() == 7.0
    assert tf.math.reduce_variance(z).numpy() == 6.25
    np.testing.assert_allclose(tf.math.l2_normalize(z), [0.6j, 0.8])


def test_moments_of_constants_are_exact():
    mean, variance = tf.nn.moments(tf.fill([1000], 0.5), [0])
    assert mean.numpy() == 0.5
    assert variance.numpy() == 0.0


# -- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: tf.reduce_sum([1.0], axis=3), tf.errors.InvalidArgumentError, "Invalid axis 3"),
        (
            lambda: tf.reduce_sum([1.0], axis=[0, 0]),
            tf.errors.InvalidArgumentError,
            "specified more than once",
        ),
        (lambda: tf.reduce_sum([1.0], axis=1.0), TypeError, "1.0"),
        (lambda: tf.reduce_sum([True]), tf.errors.InvalidArgumentError, "bool"),
        (lambda: tf.reduce_max([1j]), tf.errors.InvalidArgumentError, "complex"),
        (lambda: tf.reduce_any([1.0]), TypeError, "dtype bool"),
        (lambda: tf.reduce_logsumexp([1]), tf.errors.InvalidArgumentError, "int32"),
        (lambda: tf.math.reduce_variance([1]), TypeError, "integer"),
        (lambda: tf.argmax([[1.0]], axis=2), tf.errors.InvalidArgumentError, "[-2, 2)"),
        (lambda: tf.argmax(tf.zeros([0])), tf.errors.InvalidArgumentError, "empty"),
        (lambda: tf.argmax([1.0], output_type=tf.float32), tf.errors.InvalidArgumentError, "int64"),
        (lambda: tf.norm([1.0], ord="fro"), ValueError, "fro"),
        (lambda: tf.norm([1.0], ord=0), ValueError, "vector norm"),
        (lambda: tf.norm([[1.0]], ord=3, axis=(0, 1)), ValueError, "matrix norm"),
        (lambda: tf.norm([[1.0]], axis=(0, 0)), ValueError, "unique"),
        (lambda: tf.norm([1.0], axis="a"), ValueError, "got a"),
        (lambda: tf.norm([1]), tf.errors.InvalidArgumentError, "int32"),
        (lambda: tf.clip_by_norm([1.0], [[1.0], [2.0]]), ValueError, "incompatible"),
        (lambda: tf.clip_by_global_norm(tf.ones([2]), 1.0), TypeError, "t_list"),
    ],
)
def test_errors_name_what_was_given(call, error, message):
    refuses(call, error, message)


def test_no_output_type_is_the_usual_one():
    for where in (tf.argmax, tf.argmin, tf.math.argmax):
        assert where([1.0, 2.0], output_type=None).dtype == tf.int64


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_moments_of_integers_are_integers(dtype):
    mean, variance = tf.nn.moments(tf.constant([[-1, -5], [-2, 9]], dtype), [0])
    assert (mean.dtype, variance.dtype) == (dtype, dtype)
    assert (mean.numpy().tolist(), variance.numpy().tolist()) == ([-1, 2], [0, 49])


def test_counts_are_no_strings():
    with pytest.raises(tf.errors.UnimplementedError, match="Cast int64 to string"):
        tf.math.count_nonzero([1.0, 0.0], dtype=tf.string)
