"""enable_check_numerics finds the op and the line where numbers stop being finite."""

import numpy as np
import pytest

import cinta as tf
from cinta.programs.called_from import Calls
from tests.shorthand import gradient

Bad = tf.errors.InvalidArgumentError
NAN, INF, ZERO = tf.constant(np.nan), tf.constant(np.inf), tf.constant(0.0)


@pytest.fixture(autouse=True)
def checking():
    """Check in the test, and not after it."""
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()


@pytest.mark.parametrize(
    ("call", "op", "found"),
    [
        (lambda: tf.math.log(-1.0), "Log", "nan: 1"),
        (lambda: tf.zeros(2) / 0.0, "RealDiv", "nan: 2"),
        (lambda: ZERO / ZERO, "RealDiv", "nan: 1"),
        (lambda: ZERO + np.inf, "AddV2", r"\+inf: 1"),
        (lambda: 1.0 / ZERO, "RealDiv", r"\+inf: 1"),
        (lambda: tf.raw_ops.Log(x=tf.constant([0.0])), "Log", "-inf: 1"),
        (lambda: tf.cast(tf.constant(1e300, tf.float64), tf.float32), "Cast", r"\+inf: 1"),
        (lambda: tf.reduce_max(tf.zeros([0])), "Max", "-inf: 1"),
        (lambda: tf.where([True], tf.fill([1], NAN), 1.0), "SelectV2", "nan: 1"),
        (lambda: tf.exp(tf.constant(100.0, tf.bfloat16)), "Exp", r"\+inf: 1"),
        (lambda: tf.Variable(np.nan) + 1.0, "AddV2", "nan: 1"),
        (lambda: tf.matmul([[np.inf]], [[0.0]]), "MatMul", "nan: 1"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_result_is_checked(call, op, found):
    with pytest.raises(Bad, match=f'Infinity or NaN in output 0 of op "{op}" .*{found}'):
        call()
    x = tf.constant([1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(Bad, match=op):
            call()


def test_what_only_moves_or_is_given_is_not_checked():
    moved = tf.reshape(tf.concat([tf.identity(NAN)[None], tf.fill([1], INF)], 0)[0:1], [1, 1])
    assert np.isnan(moved.numpy()).all()
    assert tf.math.is_nan(NAN)
    assert np.isinf(tf.math.log(tf.constant(0j)).numpy().real)


@pytest.mark.parametrize(
    ("function", "x", "op"),
    [
        (tf.sqrt, 0.0, "Sqrt"),
        (lambda x: tf.sqrt(x) * 2.0, [1.0, 0.0], "Sqrt"),
        (lambda x: tf.norm(tf.gather(x, [0])), [0.0], "Sqrt|Norm"),
        (lambda x: x**0.5 + x, 0.0, "Pow"),
    ],
)
def test_every_gradient_is_checked(function, x, op):
    with pytest.raises(Bad, match=f'Infinity or NaN in the gradient of op ".*({op})"'):
        gradient(function, x)


def test_gradients_of_gradients_are_checked():
    x = tf.constant(0.0, tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.abs(x) ** 1.5
        first = inner.gradient(y, x)
    assert first.numpy() == 0
    with pytest.raises(Bad, match='in the gradient of op "Raised"'):
        outer.gradient(first, x)


def test_steps_of_a_gradient_may_be_infinite_where_its_result_is_not():
    assert gradient(lambda x: tf.math.xlogy(x, 1.0 + x), 0.0) == 0
    assert gradient(lambda x: tf.math.divide_no_nan(x, 0.0), 1.0) == 0
    assert gradient(lambda x: x**2, 0.0) == 0


def test_the_error_tells_the_line_and_the_inputs():
    with pytest.raises(Bad) as caught:
        tf.math.log(tf.constant([1.0, 0.0]))  # here
    text = str(caught.value)
    assert "shape: [2], dtype: float32" in text
    assert "input 0: [1. 0.]" in text
    first = next(line for line in text.splitlines() if line.startswith("  at "))
    assert "test_finite.py" in first
    assert "test_the_error_tells_the_line_and_the_inputs: tf.math.log(" in first
    assert first.endswith("# here")


def test_the_error_shows_as_much_of_the_stack_as_was_asked_for():
    tf.debugging.enable_check_numerics(stack_height_limit=1, path_length_limit=6)
    with pytest.raises(Bad) as caught:
        tf.math.log(0.0)
    lines = [line for line in str(caught.value).splitlines() if line.startswith("  at ")]
    assert len(lines) == 1
    assert lines[0].startswith("  at ite.py:")


def test_nothing_is_checked_after_it_was_switched_off():
    tf.debugging.enable_check_numerics()
    tf.debugging.disable_check_numerics()
    assert np.isinf(tf.math.log(ZERO).numpy())
    assert np.isinf(gradient(tf.sqrt, 0.0))
    assert np.isinf((1.0 / ZERO).numpy())
    tf.debugging.disable_check_numerics()


@pytest.mark.parametrize("shape", [(), (2,)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_errors_about_gradients_name_the_line_that_computed_forward(shape):
    x = tf.Variable(tf.zeros(shape))

    def root(v):
        return tf.sqrt(v)  # forward

    with tf.GradientTape() as tape:
        y = tf.reduce_sum(root(x) + tf.exp(x))
    with pytest.raises(Bad, match=r"computed at .*test_finite\.py:\d+, in root: .*# forward") as e:
        tape.gradient(y, x)
    assert "tape.gradient(y, x)" in str(e.value)
    assert str(e.value).count("computed at") == 1


def test_lines_of_arrays_that_are_gone_are_forgotten():
    calls = Calls()
    for _ in range(100):
        calls.note("Sqrt", (np.zeros(3), np.float32(1.0)))
    assert len(calls._refs) == 0
    assert len(calls._lines) <= 101
