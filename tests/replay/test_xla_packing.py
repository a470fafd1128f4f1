"""Small values that travel to XLA and back in one array: nothing else differs by that."""

import numpy as np
import pytest

import cinta as tf

jax = pytest.importorskip("jax")

DTYPES = (
    "float32",
    "float64",
    "int32",
    "int64",
    "uint8",
    "bool",
    "complex64",
    "float16",
    "bfloat16",
)
SHAPES = ((), (3,), (2, 3), (1, 2, 2), (0,), (2, 0))


def values():
    """A value of each dtype and shape."""
    made = []
    for dtype in DTYPES:
        for shape in SHAPES:
            numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 2 + 1
            made.append(tf.cast(tf.constant(numbers), dtype))
    return made


def turned(x):
    """Another value of the same kind."""
    return tf.logical_not(x) if x.dtype == tf.bool else x + x


def test_all_dtypes_and_shapes_come_back_as_they_should():
    variables = [tf.Variable(value) for value in values()]

    def step(*given):
        for variable in variables:
            variable.assign(turned(variable))
        return [turned(x) for x in given]

    compiled = tf.function(step, jit_compile=True)
    expected = values()
    for _ in range(4):
        found = compiled(*values())
        expected = [turned(x) for x in expected]
        for x, y in zip(values(), found, strict=True):
            same(turned(x), y)
        for x, variable in zip(expected, variables, strict=True):
            same(x, variable.value())


def same(expected, found):
    """Two tensors are equal, in dtype and shape too."""
    assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
    np.testing.assert_array_equal(expected.numpy(), found.numpy())


def test_variables_that_others_change_are_sent_as_they_are():
    variables = [tf.Variable(np.full(4, i, np.float32)) for i in range(6)]
    large = tf.Variable(np.zeros(1000, np.float32))

    @tf.function(jit_compile=True)
    def step(x):
        for i, variable in enumerate(variables):
            variable.assign_add(tf.fill([4], x * float(i)))
        large.assign_add(tf.fill([1000], x))
        return tf.add_n([tf.reduce_sum(variable) for variable in variables])

    expected = [variable.numpy() for variable in variables]
    for turn in range(6):
        variables[2].assign(variables[2] * 0.5)
        variables[3][1].assign(7.0)
        variables[4].assign(np.asfortranarray(np.ones(4, np.float32)))
        expected[2] = expected[2] * np.float32(0.5)
        expected[3] = np.where(np.arange(4) == 1, np.float32(7.0), expected[3])
        expected[4] = np.ones(4, np.float32)
        total = step(tf.constant(2.0))
        expected = [x + np.float32(2.0 * i) for i, x in enumerate(expected)]
        assert total.numpy() == sum(map(np.sum, expected))
        assert large.numpy()[turn] == 2.0 * (turn + 1)
    for variable, x in zip(variables, expected, strict=True):
        np.testing.assert_array_equal(variable.numpy(), x)


def test_values_read_before_a_call_do_not_change():
    variables = [tf.Variable([float(i)]) for i in range(5)]

    @tf.function(jit_compile=True)
    def step():
        for variable in variables:
            variable.assign_add([1.0])

    step(), step()
    kept = [variable.value() for variable in variables]
    arrays = [variable.numpy() for variable in variables]
    variables[0].assign_add([10.0])
    variables[1].scatter_nd_update([[0]], [5.0])
    step()
    assert [x.numpy().tolist() for x in kept] == [[float(i + 2)] for i in range(5)]
    assert [x.tolist() for x in arrays] == [[float(i + 2)] for i in range(5)]
    assert [v.numpy().tolist() for v in variables] == [[13.0], [6.0], [5.0], [6.0], [7.0]]


def test_one_result_may_be_given_twice_and_pass_on_to_another_function():
    @tf.function(jit_compile=True)
    def both(x, y):
        total = x + y
        return total, total, x, tf.constant(3.0)

    @tf.function(jit_compile=True)
    def next_one(a, b, c, d, e):
        return a + b + c + d + tf.reduce_sum(e)

    e = tf.function(lambda x: tf.fill([1000], x), jit_compile=True)
    for i in range(4):
        found = both(tf.constant(float(i)), tf.constant(1.0))
        assert [x.numpy() for x in found] == [i + 1, i + 1, i, 3]
        assert next_one(*found, e(found[0])).numpy() == 3 * i + 5 + 1000 * (i + 1)


def test_a_program_that_may_fail_says_so_beside_small_results():
    variables = [tf.Variable([1.0, 2.0, 3.0]) for _ in range(4)]

    @tf.function(jit_compile=True)
    def step(i):
        for variable in variables:
            variable.assign(variable + tf.gather(variable, i))
        return tf.gather(variables[0], i)

    assert [step(tf.constant(1)).numpy() for _ in range(3)] == [4.0, 8.0, 16.0]
    with pytest.raises(tf.errors.InvalidArgumentError):
        step(tf.constant(5))
    assert variables[3].numpy().tolist() == [15.0, 16.0, 17.0]
