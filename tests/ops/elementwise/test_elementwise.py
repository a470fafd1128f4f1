"""Elementwise functions at their kinks, poles and ties, where TensorFlow's value is the rule."""

import pickle

import numpy as np
import pytest

import cinta as tf

inf, nan = float("inf"), float("nan")


def gradients(function, *points):
    sources = [tf.constant(x, tf.float64) for x in points]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = function(*sources)
    return [g if g is None else float(g) for g in tape.gradient(y, sources)]


@pytest.mark.parametrize(
    ("function", "points", "expected"),
    [
        (tf.abs, [0.0], [0.0]),
        (tf.sign, [0.0], [0.0]),
        (tf.sign, [3.0], [0.0]),
        (tf.round, [0.5], [None]),
        (tf.floor, [0.5], [None]),
        (tf.math.ceil, [0.5], [None]),
        (tf.math.rint, [0.5], [None]),
        (tf.sqrt, [0.0], [inf]),
        (tf.sqrt, [-1.0], [nan]),
        (lambda x: tf.sqrt(x) * 0.0, [0.0], [0.0]),
        (tf.math.rsqrt, [0.0], [-inf]),
        (lambda x: tf.math.rsqrt(x) * 0.0, [0.0], [0.0]),
        (tf.math.reciprocal, [0.0], [-inf]),
        (lambda x: tf.math.reciprocal(x) * 0.0, [0.0], [0.0]),
        (tf.math.reciprocal_no_nan, [0.0], [0.0]),
        (tf.math.bessel_i0e, [inf], [0.0]),
        (tf.math.bessel_i1e, [-inf], [0.0]),
        (lambda a: tf.math.igamma(a, 2.0), [-1.0], [nan]),
        (tf.math.log, [0.0], [inf]),
        (tf.math.log, [-1.0], [-1.0]),
        (tf.math.log1p, [-1.0], [inf]),
        (tf.asin, [1.0], [inf]),
        (tf.acos, [1.0], [-inf]),
        (tf.acosh, [1.0], [inf]),
        (tf.atanh, [1.0], [inf]),
        (tf.atan2, [0.0, 0.0], [nan, nan]),
        (tf.maximum, [1.0, 1.0], [1.0, 0.0]),
        (tf.minimum, [1.0, 1.0], [1.0, 0.0]),
        (tf.maximum, [nan, 1.0], [0.0, 1.0]),
        (tf.minimum, [1.0, nan], [0.0, 1.0]),
        (tf.divide, [1.0, 0.0], [inf, -inf]),
        (tf.divide, [0.0, 0.0], [inf, nan]),
        (tf.math.divide_no_nan, [1.0, 0.0], [0.0, 0.0]),
        (tf.math.multiply_no_nan, [inf, 0.0], [0.0, inf]),
        (tf.math.floordiv, [7.0, 2.0], [None, None]),
        (tf.truncatediv, [7.0, 2.0], [None, None]),
        (tf.math.floormod, [7.0, 2.0], [1.0, -3.0]),
        (tf.math.nextafter, [1.0, 2.0], [1.0, 0.0]),
        (tf.math.xlogy, [0.0, 0.0], [0.0, 0.0]),
        (tf.math.xlogy, [1.0, 0.0], [-inf, inf]),
        (tf.math.xlog1py, [0.0, -1.0], [0.0, 0.0]),
        (tf.math.xdivy, [0.0, 0.0], [0.0, 0.0]),
        (tf.pow, [0.0, 0.0], [nan, 0.0]),
        (tf.pow, [0.0, 1.0], [1.0, 0.0]),
        (tf.pow, [0.0, 2.0], [0.0, 0.0]),
        (tf.pow, [0.0, -1.0], [-inf, nan]),
        (tf.pow, [2.0, 0.0], [0.0, np.log(2.0)]),
        (tf.pow, [-2.0, 2.0], [-4.0, 0.0]),
        (lambda x: x**0, [0.0], [nan]),
        (lambda x: x**0.5, [0.0], [inf]),
        (lambda x: tf.clip_by_value(x, -1.0, 1.0), [-1.0], [1.0]),
        (lambda x: tf.clip_by_value(x, -1.0, 1.0), [1.0], [1.0]),
        (lambda x: tf.clip_by_value(x, -1.0, 1.0), [1.5], [0.0]),
        (tf.clip_by_value, [-2.0, -1.0, 1.0], [0.0, 1.0, 0.0]),
        (tf.sigmoid, [-1000.0], [0.0]),
        (tf.math.softplus, [1000.0], [1.0]),
        (tf.math.log_sigmoid, [-1000.0], [1.0]),
        (tf.math.lgamma, [0.0], [nan]),
        (tf.math.bessel_i1, [0.0], [0.5]),
        (tf.math.special.bessel_j1, [0.0], [0.5]),
        (tf.math.special.spence, [1.0], [-1.0]),
        (tf.math.zeta, [2.0, 1.0], [None, -2.0 * 1.2020569031595942]),
        (tf.math.polygamma, [1.0, 1.0], [None, -2.0 * 1.2020569031595942]),
    ],
)
def test_the_gradient_at_special_points(function, points, expected):
    for found, wanted in zip(gradients(function, *points), expected, strict=True):
        if wanted is None:
            assert found is None
        else:
            np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize(
    ("function", "point", "expected"),
    [
        (tf.abs, 2.0, 0.0),
        (tf.maximum, 2.0, None),
        (tf.square, 0.0, 2.0),
        (lambda x: x**2.0, 0.0, 2.0),
        (lambda x: x**3, 0.0, 0.0),
        (tf.sqrt, 0.0, -inf),
        (tf.math.bessel_i1, 0.0, 0.0),
        (tf.sign, 1.0, None),
    ],
)
def test_the_second_derivative_at_special_points(function, point, expected):
    x = tf.constant(point, tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, tf.constant(1.0, tf.float64)) if function is tf.maximum else function(x)
        first = tape.gradient(y, x)
    second = outer.gradient(first, x)
    assert second is None if expected is None else float(second) == expected


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (tf.math.is_nan, "IsNan"),
        (tf.math.is_inf, "IsInf"),
        (tf.math.is_finite, "IsFinite"),
        (lambda x: tf.truncatemod(x, 2.0), "TruncateMod"),
    ],
)
def test_no_gradient_is_registered_for(function, name):
    with pytest.raises(LookupError, match=f"no entry for: {name}"):
        gradients(function, 1.0)


@pytest.mark.parametrize("function", [tf.exp, tf.sin, tf.sqrt, tf.sigmoid, tf.math.erf, tf.floor])
def test_integers_are_refused(function):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"list of allowed values: .*float"):
        function(tf.constant([1, 2]))


@pytest.mark.parametrize("function", [tf.math.logical_not, tf.bitwise.invert])
@pytest.mark.parametrize("x", [1.0, [1.0, 2.0]])
def test_floats_are_refused_even_where_they_are_watched(function, x):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError, match="list of allowed values"):
                function(x)
            tape.watch(x)


@pytest.mark.parametrize(
    ("function", "value", "expected"),
    [
        (tf.sigmoid, [-1e4, 0.0, 1e4], [0.0, 0.5, 1.0]),
        (tf.math.softplus, [-1e4, 1e4], [0.0, 1e4]),
        (tf.math.log_sigmoid, [-1e4, 1e4], [-1e4, 0.0]),
        (tf.round, [0.5, 1.5, -0.5], [0.0, 2.0, -0.0]),
        (tf.sign, [-inf, 0.0, nan], [-1.0, 0.0, nan]),
        (tf.math.angle, [-1.0, 2.0], [np.pi, 0.0]),
        (tf.math.erf, [-inf, inf], [-1.0, 1.0]),
        (tf.math.ndtri, [0.0, 0.5, 1.0], [-inf, 0.0, inf]),
        (tf.math.digamma, [0.0], [nan]),
        (lambda x: tf.math.igamma(x, 1.0), [0.0, -1.0], [nan, nan]),
        (lambda x: tf.math.igammac(2.0, x), [0.0, inf], [1.0, 0.0]),
        (lambda x: tf.math.polygamma(x, 0.0), [0.0, 1.0, 2.0], [nan, inf, nan]),
        (lambda x: tf.math.zeta(x, -1.0), [2.0, 3.0, nan], [inf, nan, nan]),
        (
            lambda q: tf.math.zeta(inf, q),
            [2.0, 1.0, 0.5, 0.0, -1.5, nan],
            [0, 1, inf, inf, inf, nan],
        ),
        (lambda x: tf.math.zeta(x, 2.47), [1e3, 1e30], [0.0, 0.0]),
        (lambda x: tf.math.zeta(x, 1.0), [3e3, 1e30], [1.0, 1.0]),
        (lambda x: tf.math.zeta(x, 0.5), [3e3, 1e30], [inf, inf]),
        (tf.math.lgamma, [-inf, inf], [inf, inf]),
        (lambda x: tf.math.polygamma(x, 1.0), [0.5, -1.0], [nan, nan]),
    ],
)
def test_values_at_the_edges(function, value, expected):
    np.testing.assert_allclose(function(tf.constant(value)).numpy(), expected, rtol=1e-6)


def test_complex_logarithms_of_numbers_close_to_one_are_true_on_all_sides():
    x = [r * np.exp(1j * angle) for r in (1e-9, 0.1, 0.3, 0.49, 0.5, 0.7) for angle in range(7)]
    expected = np.log(1 + np.array(x[7:]))  # 1 + x has all digits but for the first
    np.testing.assert_allclose(tf.math.log1p(x)[7:].numpy(), expected, rtol=1e-13)
    np.testing.assert_allclose(tf.math.log1p(x)[:7].numpy(), x[:7], rtol=1e-8)
    np.testing.assert_allclose(tf.math.xlog1py([2.0 + 0j], x)[7:].numpy(), 2 * expected, rtol=1e-13)


def test_a_division_of_nothing_by_zero_is_nothing():
    nothing, zero = tf.zeros([0, 2], tf.int32), tf.constant([0, 7])
    divide = lambda x, y: (x // y, x % y, tf.truncatediv(x, y), tf.truncatemod(x, y))  # noqa: E731
    for found in (*divide(nothing, zero), *tf.function(divide, jit_compile=True)(nothing, zero)):
        assert (found.shape, found.dtype) == ((0, 2), tf.int32)


def test_the_beta_function_takes_floats_alone():
    for wrong in (1, True, "a", 1j):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"'T' of .* half, float, double"):
            tf.math.betainc(wrong, wrong, wrong)


def test_a_whole_power_of_a_large_array_is_that_of_its_elements():
    x = np.linspace(-2.0, 2.0, 1001)
    for n in range(20):
        np.testing.assert_allclose((tf.constant(x) ** n).numpy(), x**n, rtol=1e-14, atol=1e-14)


def test_a_derivative_of_a_power_that_is_constant_has_derivatives_of_zero():
    for n, expected in [
        (1, [1, 0, 0]),
        (2, [0, 2, 0]),
        (3, [0, 0, 6]),
        (tf.constant(2.0), [0, 2, 0]),
    ]:
        derivative = lambda x: x**n  # noqa: E731, B023
        for value in expected:
            derivative = tf.grad(derivative)
            assert derivative(0.0) == value


def test_masked_gradients_are_zero_even_where_they_are_infinite():
    x = tf.constant([0.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.maximum(x, 1.0) / tf.constant([0.0, 2.0])
    assert tape.gradient(y, x).numpy().tolist() == [0.0, 0.5]


def test_sums_of_lists():
    x = [tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])]
    assert tf.add_n(x).numpy().tolist() == tf.math.accumulate_n(x).numpy().tolist() == [4.0, 6.0]
    with pytest.raises(ValueError, match="at least one Tensor"):
        tf.add_n([])
    with pytest.raises(tf.errors.InvalidArgumentError, match="same size and shape"):
        tf.add_n([x[0], tf.constant(1.0)])
    with pytest.raises(ValueError, match="same dtype"):
        tf.math.accumulate_n([x[0], tf.constant([1, 2])])


def test_bounds_that_change_the_shape_are_refused():
    with pytest.raises(ValueError, match="incompatible"):
        tf.clip_by_value([1.0, 2.0], [[0.0], [0.0]], 1.0)


def test_bitwise_shifts_stay_within_the_dtype():
    assert tf.bitwise.left_shift(1, [3, -1, 40]).numpy().tolist() == [8, 1, -(2**31)]
    assert tf.bitwise.right_shift(-8, [1, 40]).numpy().tolist() == [-4, -1]


def test_order():
    assert tf.math.is_non_decreasing([1.0, 1.0, 2.0])
    assert not tf.math.is_strictly_increasing([1.0, 1.0, 2.0])
    assert tf.math.is_strictly_increasing([])


@pytest.mark.parametrize(
    "function", [tf.tanh, tf.add, tf.equal, tf.math.bessel_i0, tf.bitwise.invert, tf.math.is_nan]
)
def test_functions_are_pickled_by_their_names(function):
    assert pickle.loads(pickle.dumps(function)) is function
