"""Assertions: silent when they hold; when not, an error that says what and where."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import refuses

X = tf.constant([1.0, 2.0, 3.0])
MATRIX = tf.zeros([2, 3])
check = tf.debugging
InvalidArgumentError = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    "call",
    [
        lambda: check.assert_equal(X, [1.0, 2.0, 3.0]),
        lambda: check.assert_equal(tf.zeros([0]), 1.0),
        lambda: check.assert_none_equal(X, 5.0),
        lambda: check.assert_less(X, 4.0),
        lambda: check.assert_less_equal(X, 3.0),
        lambda: check.assert_greater(X, 0.0),
        lambda: check.assert_greater_equal(X, 1.0),
        lambda: check.assert_positive(X),
        lambda: check.assert_negative(-X),
        lambda: check.assert_non_negative(X - 1.0),
        lambda: check.assert_non_positive(1.0 - X),
        lambda: check.assert_near(X, X + 1e-7),
        lambda: check.assert_near(X, 2 * X, rtol=0.5),
        lambda: check.Assert(tf.constant(True), [X]),
        lambda: check.assert_rank(X, 1),
        lambda: check.assert_rank_at_least(MATRIX, tf.constant(1)),
        lambda: check.assert_rank_in(MATRIX, [1, 2]),
        lambda: check.assert_scalar(1.0),
        lambda: check.assert_type(X, tf.float32),
        lambda: check.assert_integer([1]),
        lambda: check.assert_proper_iterable([X]),
        lambda: check.assert_shapes([(X, ("N",)), (MATRIX, ("M", "N")), (tf.zeros([]), (1,))]),
        lambda: check.assert_shapes([(MATRIX, (..., "N")), (X, ("N",)), (X, (None,))]),
        lambda: check.assert_shapes([(tf.zeros([]), ()), (MATRIX, "MN"), (MATRIX, None)]),
    ],
)
def test_what_holds_is_silent(call):
    assert call() is None


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: check.assert_equal(X, 2.0), InvalidArgumentError, "x == y did not hold"),
        (lambda: check.assert_none_equal(X, 2.0), InvalidArgumentError, "x != y"),
        (lambda: check.assert_less(X, 2.0), InvalidArgumentError, "x < y"),
        (lambda: check.assert_less_equal(X, 2.0), InvalidArgumentError, "x <= y"),
        (lambda: check.assert_greater(X, 2.0, message="m"), InvalidArgumentError, "m\nCondition"),
        (lambda: check.assert_greater_equal(X, 2.0), InvalidArgumentError, "x >= y"),
        (lambda: check.assert_positive(X - 1.0), InvalidArgumentError, "x > 0"),
        (lambda: check.assert_negative(X), InvalidArgumentError, "x < 0"),
        (lambda: check.assert_non_negative(X - 2.0), InvalidArgumentError, "x >= 0"),
        (lambda: check.assert_non_positive(X), InvalidArgumentError, "x <= 0"),
        (lambda: check.assert_near(X, X + 1.0), InvalidArgumentError, "tolerance"),
        (lambda: check.assert_near([1], [1]), ValueError, "floating"),
        (lambda: check.assert_equal(X, [1.0, 2.0]), InvalidArgumentError, "Incompatible shapes"),
        (lambda: check.assert_equal(X, tf.constant(1)), InvalidArgumentError, "cannot compute Eq"),
        (lambda: check.Assert(False, ["why", X]), InvalidArgumentError, "why"),
        (lambda: check.Assert(False, X), TypeError, "list"),
        (
            lambda: check.assert_rank(X, 2, message="m"),
            ValueError,
            "must have rank 2.  Received rank 1",
        ),
        (lambda: check.assert_rank_at_least(X, 2), ValueError, "at least 2"),
        (lambda: check.assert_rank_in(X, [2, 3]), ValueError, "in (2, 3)"),
        (lambda: check.assert_rank(X, [1]), ValueError, "scalar"),
        (lambda: check.assert_rank(X, 1.5), TypeError, "int32"),
        (lambda: check.assert_scalar(X), ValueError, "Expected scalar shape"),
        (lambda: check.assert_type(X, tf.int32), TypeError, "tf.int32; got tf.float32"),
        (lambda: check.assert_integer(X), TypeError, "integer"),
        (lambda: check.assert_proper_iterable(X), TypeError, "proper"),
        (lambda: check.assert_proper_iterable(3), TypeError, "iterable"),
        (lambda: check.assert_shapes([(X, (4,))]), ValueError, "must have size 4"),
        (lambda: check.assert_shapes([(X, ())]), ValueError, "must have size 1"),
        (lambda: check.assert_shapes([(X, ("N", "M"))]), ValueError, "rank 2"),
        (lambda: check.assert_shapes([(X, ("N", ...))]), ValueError, "first entry"),
        (lambda: check.assert_shapes([(X, 3)]), ValueError, "iterable"),
        (
            lambda: check.assert_shapes([(MATRIX, "ND"), (X, "N")], message="m"),
            ValueError,
            "m.  Specified by tensor shape=(2, 3) dtype=float32 dimension 0",
        ),
    ],
)
def test_what_does_not_hold_is_said(call, error, words):
    refuses(call, error, words)


def test_differences_are_shown_as_far_as_asked_for():
    with pytest.raises(InvalidArgumentError) as raised:
        check.assert_equal(tf.range(10), tf.zeros([10], tf.int32), summarize=2)
    assert "first 2 different values:\n[[1]\n [2]]" in str(raised.value)
    assert "First 2 elements of x:\n[0 1]" in str(raised.value)


@pytest.mark.parametrize(
    ("value", "words"),
    [([np.inf], "Inf values"), ([np.nan], "NaN values"), ([-np.inf, np.nan], "Inf and NaN values")],
)
def test_check_numerics(value, words):
    for function in check.check_numerics, check.assert_all_finite:
        with pytest.raises(InvalidArgumentError, match=f"loss : Tensor had {words}"):
            function(tf.constant(value), "loss")


def test_check_numerics_checks_the_gradient_too():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = check.check_numerics(x, "x") * tf.constant(np.inf)
    with pytest.raises(InvalidArgumentError, match="detected in gradient"):
        tape.gradient(y, x)


def test_dtypes_of_tensors():
    assert check.assert_same_float_dtype([X, X]) == tf.float32
    assert check.assert_same_float_dtype([None, X, None]) == tf.float32
    assert check.assert_same_float_dtype([None]) == tf.float32
    assert check.assert_same_float_dtype() == tf.float32
    assert check.assert_same_float_dtype(None, tf.float64) == tf.float64
    for tensors in ([X, tf.constant(1.0, tf.float64)], [tf.constant(1)]):
        with pytest.raises(ValueError, match="type"):
            check.assert_same_float_dtype(tensors)
    assert check.is_numeric_tensor(X)
    assert not check.is_numeric_tensor(tf.constant(True))
    assert not check.is_numeric_tensor(1)
