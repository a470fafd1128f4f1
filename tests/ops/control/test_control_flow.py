"""cond, case, switch_case, while_loop, map_fn, scan, folds, vectorized_map, TensorArray."""

import numpy as np
import pytest

import cinta as tf
from cinta.errors import InvalidArgumentError, OutOfRangeError
from tests.shorthand import gradient, refuses

X = tf.constant([1.0, 2.0, 3.0])
TRUE, FALSE = tf.constant(True), tf.constant(False)


def never():
    raise AssertionError("this branch must not run")


# -- branches ----------------------------------------------------------------------------------


def test_only_the_chosen_branch_runs_and_is_differentiated():
    assert tf.cond(True, lambda: 1, never) == 1
    assert tf.cond(tf.constant([0.0]), never, lambda: [1, None]) == [1, None]
    assert gradient(lambda x: tf.cond(x > 2.0, lambda: x * x, never), tf.constant(3.0)) == 6.0
    assert tf.case([(FALSE, never), (TRUE, lambda: 2), (TRUE, never)]) == 2
    assert tf.case([(FALSE, never)], default=lambda: 3) == 3
    branches = [lambda: 0, lambda: 1]
    assert [tf.switch_case(tf.constant(i), branches) for i in (0, 1, 2, -1)] == [0, 1, 1, 1]
    assert tf.switch_case(tf.constant(7), branches, default=lambda: 9) == 9
    assert tf.switch_case(tf.constant(1), {1: lambda: "b", 0: lambda: "a"}) == "b"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tf.cond(TRUE, never), TypeError, "'false_fn' argument required"),
        (lambda: tf.cond(TRUE, 1, never), TypeError, "'true_fn' must be callable"),
        (lambda: tf.cond([True, False], never, never), ValueError, "ambiguous"),
        (lambda: tf.case([(FALSE, never)]), tf.errors.InvalidArgumentError, "None of conditions"),
        (
            lambda: tf.case([(TRUE, never)] * 2, exclusive=True),
            tf.errors.InvalidArgumentError,
            "more than 1",
        ),
        (lambda: tf.case([(True, never)]), TypeError, "pred must be a Tensor"),
        (lambda: tf.case([(X[0], never)]), TypeError, "type bool"),
        (lambda: tf.case([TRUE]), TypeError, "2-tuple"),
        (lambda: tf.case({TRUE.ref(): never}), ValueError, "Unordered dictionaries"),
        (lambda: tf.case(TRUE), TypeError, "list, tuple, or dict"),
        (lambda: tf.case([]), ValueError, "at least one"),
        (lambda: tf.switch_case(1, [never]), TypeError, "must be a Tensor"),
        (lambda: tf.switch_case(X[0], [never]), TypeError, "integer Tensor"),
        (lambda: tf.switch_case(tf.constant(0), []), ValueError, "at least one"),
        (lambda: tf.switch_case(tf.constant(0), {1: never}), ValueError, "contiguous range"),
        (lambda: tf.switch_case(tf.constant(0), [(0, 1)]), TypeError, "must be callable"),
    ],
)
def test_branches_refuse(call, error, words):
    refuses(call, error, words)


# -- loops -------------------------------------------------------------------------------------


def test_while_loop():
    i, y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * 2.0), (0, X))
    assert int(i) == 4
    np.testing.assert_array_equal(y.numpy(), X.numpy() * 16)
    root = tf.constant(2.0)

    def newton(a):
        return tf.while_loop(
            lambda r: tf.abs(r * r - a) > 1e-4, lambda r: (0.5 * (r + a / r),), (tf.constant(1.0),)
        )[0]

    np.testing.assert_allclose(gradient(newton, root), 0.5 / np.sqrt(2.0), rtol=1e-4)


def test_while_loop_stops_at_maximum_iterations_and_keeps_the_structure():
    step = {"i": tf.constant(0)}
    (out,) = tf.while_loop(
        lambda s: True, lambda s: ({"i": s["i"] + 1},), (step,), maximum_iterations=tf.constant(3)
    )
    assert int(out["i"]) == 3
    assert isinstance(tf.while_loop(lambda i: i < 1, lambda i: [i + 1], [0]), list)
    (v,) = tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (tf.Variable(0),))
    assert int(v) == 3


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tf.while_loop(lambda i: i < 3, lambda i: (i, i), (0,)), ValueError, "number of"),
        (lambda: tf.while_loop(1, lambda i: (i,), (0,)), TypeError, "'cond' must be callable"),
        (lambda: tf.while_loop(lambda i: False, 1, (0,)), TypeError, "'body' must be callable"),
        (lambda: tf.while_loop(lambda i: False, never, ()), ValueError, "'loop_vars' must be"),
        (
            lambda: tf.while_loop(lambda i: False, never, (0,), maximum_iterations=[1]),
            ValueError,
            "must be a scalar",
        ),
        (
            lambda: tf.while_loop(lambda i: False, never, (0,), parallel_iterations=0),
            TypeError,
            "positive",
        ),
    ],
)
def test_while_loop_refuses(call, error, words):
    refuses(call, error, words)


# -- maps and folds ----------------------------------------------------------------------------


def test_map_fn():
    np.testing.assert_array_equal(tf.map_fn(lambda x: x * 2.0, X).numpy(), [2.0, 4.0, 6.0])
    np.testing.assert_array_equal(gradient(lambda x: tf.map_fn(lambda e: e * e, x), X), 2 * X)
    pairs = tf.map_fn(lambda p: p["a"] + p["b"], {"a": X, "b": X}, fn_output_signature=tf.float32)
    np.testing.assert_array_equal(pairs.numpy(), 2 * X)
    whole = tf.map_fn(lambda x: tf.cast(x, tf.int32), X, fn_output_signature=tf.int32)
    assert whole.dtype == tf.int32
    for name in (np.float64, np.dtype("float64"), "float64"):
        pairs = tf.map_fn(lambda x: 2 * [tf.cast(x, tf.float64)], X, dtype=[name, name])
        np.testing.assert_array_equal(pairs[1].numpy(), X)
    assert tf.map_fn(never, tf.zeros([0, 2])).shape == [0]
    assert tf.map_fn(lambda x: x, tf.Variable(X)).shape == [3]


def test_vectorized_map():
    out = tf.vectorized_map(lambda r: {"s": tf.reduce_sum(r), "c": 1}, tf.ones([2, 3]))
    np.testing.assert_array_equal(out["s"].numpy(), [3.0, 3.0])
    np.testing.assert_array_equal(out["c"].numpy(), [1, 1])
    spread = tf.vectorized_map(lambda p: p[0] * p[1], (X, tf.constant([2.0])))
    np.testing.assert_array_equal(spread.numpy(), 2 * X)
    assert tf.vectorized_map(lambda r: (r, r[0]), tf.zeros([0, 3]))[0].shape == [0, 3]

    def square_slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    np.testing.assert_array_equal(tf.vectorized_map(square_slope, X).numpy(), 2 * X)


def test_scan_and_folds():
    def step(total, x):
        return total * 10.0 + x

    np.testing.assert_array_equal(tf.scan(step, X).numpy(), [1.0, 12.0, 123.0])
    np.testing.assert_array_equal(tf.scan(step, X, 4.0).numpy(), [41.0, 412.0, 4123.0])
    np.testing.assert_array_equal(tf.scan(step, X, reverse=True).numpy(), [321.0, 32.0, 3.0])
    assert float(tf.foldl(step, X)) == 123.0
    assert float(tf.foldr(step, X)) == 321.0
    assert float(tf.foldl(step, X, 4.0)) == 4123.0
    assert float(tf.foldr(step, tf.zeros([0]), 4.0)) == 4.0
    np.testing.assert_array_equal(gradient(lambda x: tf.foldl(step, x), X), [100.0, 10.0, 1.0])
    sums, counts = tf.scan(lambda a, x: (a[0] + x, a[1] + 1), X, (0.0, 0))
    np.testing.assert_array_equal(sums.numpy(), [1.0, 3.0, 6.0])
    np.testing.assert_array_equal(counts.numpy(), [1, 2, 3])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tf.map_fn(lambda x: x, [1.0, 2.0]), ValueError, "not scalars"),
        (lambda: tf.map_fn(lambda x: x, []), ValueError, "does not contain any"),
        (lambda: tf.map_fn(lambda x: x, (X, X[:2])), ValueError, "not compatible"),
        (lambda: tf.map_fn(lambda x: (x, x), X), ValueError, "nested structure"),
        (
            lambda: tf.map_fn(lambda x: tf.cast(x, tf.int32), X),
            tf.errors.InvalidArgumentError,
            "write dtype int32",
        ),
        (lambda: tf.map_fn(3, X), TypeError, "callable"),
        (lambda: tf.scan(lambda a, x: tf.stack([a, x]), X), ValueError, "Incompatible shape"),
        (lambda: tf.scan(never, tf.zeros([0])), tf.errors.OutOfRangeError, "initializer="),
        (lambda: tf.foldl(never, tf.zeros([0])), tf.errors.OutOfRangeError, "initializer="),
        (lambda: tf.vectorized_map(never, tf.constant(1.0)), IndexError, "scalars"),
        (
            lambda: tf.vectorized_map(never, (X, X[:2])),
            tf.errors.InvalidArgumentError,
            "one length",
        ),
    ],
)
def test_maps_and_folds_refuse(call, error, words):
    refuses(call, error, words)


# -- TensorArray -------------------------------------------------------------------------------


def test_tensor_array():
    array = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False)
    for i in range(3):
        array = array.write(i, float(i))
    array.write(4, 4.0)
    np.testing.assert_array_equal(array.stack().numpy(), [0.0, 1.0, 2.0, 0.0, 4.0])
    np.testing.assert_array_equal(array.gather([4, 1]).numpy(), [4.0, 1.0])
    assert int(array.size()) == 5
    assert float(array.read(2)) == float(array.read(2)) == 2.0
    split = tf.TensorArray(tf.float32, size=2).split(X, [1, 2])
    np.testing.assert_array_equal(split.concat().numpy(), X)
    scattered = tf.TensorArray(tf.float32, size=3).scatter([2, 0], X[:2])
    np.testing.assert_array_equal(scattered.stack().numpy(), [2.0, 0.0, 1.0])
    assert tf.TensorArray(tf.int32, size=0, element_shape=[2]).stack().shape == [0, 2]


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64, tf.int32])
@pytest.mark.parametrize("given", [np.int64, np.float64, np.float32, np.bool_])
def test_a_tensor_array_gives_its_dtype_to_arrays(dtype, given):
    value = np.array([1, 0], given)
    array = tf.TensorArray(dtype, 2, infer_shape=False)
    for found in (
        array.unstack(value).stack(),
        array.split(value, [1, 1]).concat(),
        array.write(0, value).read(0),
        array.write(0, value[0]).write(1, value[1]).stack(),
    ):
        assert found.dtype is dtype
        np.testing.assert_array_equal(found, [1, 0])


def test_a_tensor_array_takes_tensors_apart_that_have_another_dtype():
    for value in (tf.constant([1, 2]), [1, 2], tf.Variable([1, 2])):
        assert tf.TensorArray(tf.float32, 2).unstack(value).stack().dtype is tf.float32
    with pytest.raises(tf.errors.UnimplementedError, match="Cast string"):
        tf.TensorArray(tf.float32, 1).unstack(["a"])
    with pytest.raises(tf.errors.InvalidArgumentError, match="write dtype"):
        tf.TensorArray(tf.float32, 1).write(0, tf.constant(1))
    for index in (0.5, "a"):
        with pytest.raises(TypeError):
            tf.TensorArray(tf.float32, 1).write(index, 1.0)


def test_gradients_pass_through_a_tensor_array():
    def squares(x):
        array = tf.TensorArray(tf.float32, size=3).unstack(x)
        out = tf.TensorArray(tf.float32, size=3)
        for i in range(3):
            out = out.write(2 - i, array.read(i) ** 2)
        return out.stack()

    np.testing.assert_array_equal(gradient(squares, X), 2 * X)


def array_of_two():
    return tf.TensorArray(tf.float32, size=2)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: array_of_two().write(2, 1.0), OutOfRangeError, "not resizeable"),
        (lambda: array_of_two().write(-1, 1.0), OutOfRangeError, "negative"),
        (lambda: array_of_two().read(2), OutOfRangeError, "array size is: 2"),
        (lambda: array_of_two().read(-1), OutOfRangeError, "negative"),
        (lambda: array_of_two().write(0, tf.constant(1)), InvalidArgumentError, "dtype int32"),
        (lambda: array_of_two().unstack(X), ValueError, "static size"),
        (lambda: array_of_two().split(X, [1, 1]), InvalidArgumentError, "sum of lengths"),
        (lambda: array_of_two().split(X, [3]), InvalidArgumentError, "not equal to the size"),
        (lambda: array_of_two().write(0, 1.0).write(1, X), ValueError, "Incompatible shape"),
        (lambda: array_of_two().write(0, 1.0).concat(), InvalidArgumentError, "at least vectors"),
        (lambda: array_of_two().grad("x"), NotImplementedError, "gradients"),
        (lambda: tf.TensorArray(tf.float32), ValueError, "Size must be declared"),
    ],
)
def test_tensor_array_refuses(call, error, words):
    refuses(call, error, words)


def test_what_was_read_is_cleared():
    array = array_of_two().write(0, 1.0)
    array.read(0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="twice"):
        array.read(0)


def test_a_loop_of_one_variable_may_return_it_alone():
    for given, kind in ([tf.constant(0)], list), ((tf.constant(0),), tuple):

        def loop(given=given):
            return tf.while_loop(lambda i: i < 3, lambda i: i + 1, given)

        for call in (loop, *[tf.function(loop)] * 2):
            found = call()
            assert type(found) is kind
            assert [int(each) for each in found] == [3]
    with pytest.raises(TypeError, match="must return a list or tuple"):
        tf.while_loop(lambda i, j: i < 3, lambda i, j: i + 1, [0, 0])


def test_rows_stay_rows_in_a_loop():
    def loop(values):
        rows = tf.IndexedSlices(values, tf.constant([0, 1]), tf.constant([5, 3]))
        return tf.while_loop(
            lambda i, s: i < 3,
            lambda i, s: (i + 1, tf.IndexedSlices(s.values * 2, s.indices, s.dense_shape)),
            (tf.constant(0), rows),
        )

    recorded = tf.function(loop)
    for call in (loop, recorded, recorded):
        _, rows = call(tf.ones([2, 3]))
        assert isinstance(rows, tf.IndexedSlices)
        assert rows.values.numpy().tolist() == [[8.0] * 3] * 2
