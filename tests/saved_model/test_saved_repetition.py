"""Saved functions whose loops have as many turns as an argument has rows."""

import subprocess
import sys

import numpy as np
import pytest

import cinta as tf
from tests.saved_model.test_saved_model_sizes import assert_close, reloaded

COUNTS = (1, 2, 3, 7, 33, 100)
SCALARS, ROWS, MATRICES = [None], [None, 3], [None, None]


def numbers(*shape):
    """The same numbers in each call."""
    return tf.constant(np.random.default_rng(shape).normal(size=shape), tf.float32)


def with_a_tensor_array(x):
    def turn(i, found):
        return i + 1, found.write(i, tf.sin(x[i]) * 2.0)

    found = tf.TensorArray(tf.float32, size=tf.shape(x)[0])
    return tf.while_loop(lambda i, _: i < tf.shape(x)[0], turn, [0, found])[1].stack()


def over_a_range(x):
    found = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(tf.shape(x)[0]):
        found = found.write(i, tf.exp(x[i] * 0.1))
    return found.stack()


def over_time(x):
    state, states = tf.zeros([tf.shape(x)[0]]), []
    for column in tf.unstack(x, axis=1):
        state = tf.tanh(state * 0.5 + column)
        states.append(state)
    return tf.stack(states, 1), state


def in_a_list(x):
    found = [x[0]]
    for i in range(1, x.shape[0]):
        found.append(found[-1] * 0.5 + x[i])
    return tf.stack(found)


def from_a_number(x):
    def turn(i, found):
        return i + 1, found * 0.5 + x[i]

    return tf.while_loop(lambda i, _: i < tf.shape(x)[0], turn, [0, 0.0])[1]


def over_rows(x):
    total = tf.zeros([3])
    for row in x:
        total = total * 0.5 + tf.sin(row)
    return total


def over_the_first_half(x):
    total = tf.sin(x[0])
    for i in tf.range(tf.shape(x)[0] // 2):
        total = total * 0.5 + x[i]
    return total


def mean_and_row(row):
    return tf.reduce_mean(row), row * 2.0


def of_one_row(i, x):
    return tf.reduce_sum(x[i]) * tf.cast(i, tf.float32)


def both(state, row):
    return state[0] + row, state[1] * 0.5 + row


FUNCTIONS = [
    (lambda x: tf.map_fn(lambda row: tf.reduce_sum(tf.sin(row)), x), ROWS),
    (lambda x: tf.map_fn(mean_and_row, x, fn_output_signature=(tf.float32, tf.float32)), ROWS),
    (
        lambda x: tf.map_fn(
            lambda i: of_one_row(i, x), tf.range(tf.shape(x)[0]), fn_output_signature=tf.float32
        ),
        ROWS,
    ),
    (lambda x: tf.map_fn(lambda y: tf.map_fn(lambda z: tf.reduce_sum(y * z), x), x), ROWS),
    (lambda x: tf.scan(lambda total, row: tf.tanh(total * 0.5 + row), x), ROWS),
    (lambda x: tf.scan(lambda total, row: total * 0.5 + row, x, reverse=True), ROWS),
    (lambda x: tf.scan(both, x, (tf.zeros([3]), tf.ones([3]))), ROWS),
    (lambda x: tf.foldl(lambda total, row: total * 0.5 + row, x), ROWS),
    (lambda x: tf.foldr(lambda total, row: total * 0.5 + row, x, tf.ones([3])), ROWS),
    (lambda x: tf.vectorized_map(lambda row: row * tf.reduce_sum(row), x), ROWS),
    (with_a_tensor_array, ROWS),
    (over_a_range, ROWS),
    (over_rows, ROWS),
    (over_time, MATRICES),
    (in_a_list, SCALARS),
    (from_a_number, SCALARS),
    (over_the_first_half, SCALARS),
]


def results_and_gradient(function, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        results = function(x)
        total = tf.add_n([tf.reduce_sum(tf.sin(y)) for y in tf.nest.flatten(results)])
    return results, tf.convert_to_tensor(tape.gradient(total, x))


@pytest.mark.parametrize(("function", "shape"), FUNCTIONS)
def test_loops_have_as_many_turns_as_there_are_rows(tmp_path, function, shape):
    f = reloaded(tmp_path, function, shape)
    for n in COUNTS if function is not FUNCTIONS[3][0] else COUNTS[:4]:
        x = numbers(*[n if size is None else size for size in shape])
        assert_close(f(x), function(x))
        assert_close(results_and_gradient(f, x), results_and_gradient(function, x))


def test_loops_over_two_sizes_that_have_nothing_to_do_with_each_other(tmp_path):
    def function(x):
        return tf.map_fn(lambda row: tf.scan(lambda total, y: total * 0.5 + y, row), x)

    f = reloaded(tmp_path, function, [None, None])
    for shape in ((1, 1), (1, 5), (4, 1), (2, 3), (9, 20)):
        assert_close(f(numbers(*shape)), function(numbers(*shape)))


def up_to_fifty(x):
    return tf.stack([tf.sin(x[i]) for i in range(min(x.shape[0], 50))])


def up_to_ninety(x):
    def turn(i, found):
        return i + 1, found.write(i, tf.sin(x[i]))

    count = tf.minimum(tf.shape(x)[0], 90)
    found = tf.TensorArray(tf.float32, size=count)
    return tf.while_loop(lambda i, _: i < count, turn, [tf.constant(0), found])[1].stack()


@pytest.mark.parametrize("function", [up_to_fifty, up_to_ninety])
def test_a_number_of_turns_that_is_bounded_is_refused(tmp_path, function):
    with pytest.raises(ValueError, match="in a way that cannot be written down"):
        reloaded(tmp_path, function, [None])


def test_steps_with_effects_are_in_no_loop(tmp_path):
    def function(x):
        return tf.map_fn(lambda row: row + tf.random.normal([]), x)

    with pytest.raises(ValueError, match="steps at 3, and"):
        reloaded(tmp_path, function, [None])


def test_keras_layers_that_loop_over_time(tmp_path):
    keras = tf.keras
    layers = [
        keras.layers.SimpleRNN(3, return_sequences=True),
        keras.layers.TimeDistributed(keras.layers.Dense(2)),
    ]
    model = keras.Sequential(layers)
    model(numbers(2, 5, 2))
    module = tf.Module()
    module.model = model
    module.f = tf.function(model, input_signature=[tf.TensorSpec([None, None, 2])])
    tf.saved_model.save(module, tmp_path)
    f = tf.saved_model.load(tmp_path).f
    for n in COUNTS:
        assert_close(f(numbers(2, n, 2)), model(numbers(2, n, 2)))


def test_in_a_new_process(tmp_path):
    module = tf.Module()
    module.f = tf.function(over_a_range, input_signature=[tf.TensorSpec(ROWS)])
    tf.saved_model.save(module, tmp_path)
    code = (
        "import cinta as tf\n"
        f"f = tf.saved_model.load({str(tmp_path)!r}).f\n"
        "print([f(tf.ones([n, 3])).shape.as_list() for n in (1, 40)])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[[1, 3], [40, 3]]\n"


def test_what_is_exported_has_no_such_loops(tmp_path):
    pytest.importorskip("onnx")
    function = tf.function(over_rows, input_signature=[tf.TensorSpec(ROWS)])
    with pytest.raises(ValueError, match="a loop over a size"):
        tf.export.to_onnx(function, str(tmp_path / "model.onnx"))
