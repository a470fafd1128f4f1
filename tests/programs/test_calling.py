"""py_function, through which gradients flow, and numpy_function, at which they end."""

import numpy as np
import pytest

import cinta as tf

f32 = tf.float32


def gradient(call, x, *sources):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = call(x)
    return tape.gradient(y, [x, *sources])


def square(x):
    return x * x


def test_the_gradient_of_a_py_function_is_that_of_what_it_does_to_tensors():
    (dx,) = gradient(lambda x: tf.py_function(square, [x], f32), [1.0, 3.0])
    assert dx.numpy().tolist() == [2.0, 6.0]
    (dx,) = gradient(lambda x: tf.py_function(lambda a: [a, 2 * a], [x], [f32, f32]), 3.0)
    assert dx.numpy() == 3


def test_what_a_py_function_does_outside_of_tensors_has_a_gradient_of_zero():
    for outside in (lambda a: a.numpy() * 2, lambda a: 1.0, lambda a: tf.constant(a.numpy())):
        (dx,) = gradient(lambda x, f=outside: tf.py_function(f, [x], f32), 3.0)
        assert dx.numpy() == 0


def test_a_variable_that_a_py_function_reads_has_no_gradient():
    v = tf.Variable(2.0)
    _, dv = gradient(lambda x: tf.py_function(lambda a: a * v, [x], f32), 3.0, v)
    assert dv is None
    _, dv = gradient(lambda x: tf.py_function(lambda a, b: a * b, [x, v], f32), 3.0, v)
    assert dv.numpy() == 3


def test_py_functions_have_second_derivatives():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.py_function(lambda a: a**3, [x], f32)
        dx = inner.gradient(y, x)
    assert dx.numpy() == 12
    assert outer.gradient(dx, x).numpy() == 12


def test_results_have_the_structure_and_the_dtypes_of_tout():
    x = tf.constant([1.0, 2.0])
    assert tf.py_function(lambda a: a, [x], tf.TensorSpec([2])).dtype == f32
    (only,) = tf.py_function(lambda a: a, [x], [f32])
    assert only.shape == (2,)
    assert tf.py_function(lambda a: None, [x], []) == []
    assert tf.py_function(lambda: 2, [], tf.float64).dtype == tf.float64
    assert tf.py_function(lambda a: "s", [x], tf.string).numpy() == b"s"


@pytest.mark.parametrize(
    ("function", "tout", "error", "match"),
    [
        (lambda a: a, tf.float64, tf.errors.InvalidArgumentError, "float64"),
        (lambda a: None, f32, tf.errors.InvalidArgumentError, "returns 0 values"),
        (lambda a: 1 / 0, f32, tf.errors.UnknownError, "ZeroDivisionError: division by zero"),
        (lambda a, b: a, f32, tf.errors.InvalidArgumentError, "TypeError: .* missing 1"),
        (lambda a: next(iter(())), f32, tf.errors.OutOfRangeError, "StopIteration"),
        (lambda a: {}[0], f32, tf.errors.UnknownError, "KeyError"),
        (3, f32, ValueError, "Expected func to be callable. Received func=3"),
    ],
)
def test_errors_in_py_functions_are_tensorflows(function, tout, error, match):
    with pytest.raises(error, match=match):
        tf.py_function(function, [1.0], tout)


def test_a_numpy_function_gets_arrays_and_gives_tensors():
    seen = []
    y = tf.numpy_function(lambda a, b: seen.extend([a, b]) or a + b, [[1.0], tf.Variable(2.0)], f32)
    assert isinstance(seen[0], np.ndarray)
    assert y.numpy().tolist() == [3.0]
    assert tf.numpy_function(lambda a: 2.5, [1.0], tf.float64).dtype == f32
    assert tf.numpy_function(lambda a: a.astype(np.int32), [1.0], f32).dtype == tf.int32
    both = tf.numpy_function(lambda a: (a, -a), [1.0], [f32, f32])
    assert [t.numpy() for t in both] == [1, -1]
    assert tf.numpy_function(lambda a: [a], [1.0], f32).shape == ()
    assert tf.numpy_function(lambda a: None, [1.0], []) is None


def test_no_gradient_flows_through_a_numpy_function():
    assert gradient(lambda x: tf.numpy_function(square, [x], f32), 3.0) == [None]


def test_a_numpy_function_raises_what_it_raises():
    with pytest.raises(ZeroDivisionError):
        tf.numpy_function(lambda a: 1 / 0, [1.0], f32)
    with pytest.raises(ValueError, match="Expected func to be callable"):
        tf.numpy_function("f", [1.0], f32)


def test_decorators():
    @tf.py_function(Tout=tf.float32)
    def squared(a):
        """A square."""
        return a * a

    @tf.numpy_function(Tout=tf.float32)
    def shifted(a):
        return a + np.float32(1)

    both = tf.numpy_function(Tout=[tf.float32, tf.int64])(lambda a: (a, np.int64(3)))
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = squared(x)
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]
    assert (squared.__name__, squared.__doc__) == ("squared", "A square.")
    assert tf.function(lambda a: shifted(a))(x).numpy().tolist() == [2.0, 3.0]
    assert shifted([1.0]).numpy().tolist() == [2.0]
    assert both(x)[1].numpy() == 3
    with pytest.raises(TypeError, match="unexpected keyword"):
        shifted(a=x)


@pytest.mark.parametrize("call", [tf.py_function, tf.numpy_function])
def test_arguments_that_are_missing_or_too_many(call):
    x = tf.constant(1.0)
    with pytest.raises(TypeError, match="Missing required argument: 'Tout'"):
        call()
    with pytest.raises(TypeError, match="Missing required argument: 'Tout'"):
        call(lambda a: a, [x])
    with pytest.raises(TypeError, match="Missing argument `inp`"):
        call(lambda a: a, Tout=tf.float32)
    with pytest.raises(TypeError, match="Don't set the `inp` argument"):
        call(inp=[x], Tout=tf.float32)
