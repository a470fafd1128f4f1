"""Large captured arrays are read where they lie at each call, and copied by no recording."""

import gc
import sys
import warnings
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import basic_indices
from hypothesis.strategies import data, permutations, sampled_from, tuples

import cinta as tf
from cinta.engine.strided import Window
from cinta.replay.captures.converted_arguments import _CONVERTING
from tests.functions.running import running

ONES = np.ones((512, 512), np.float32)
ROW = np.ones(2000, np.float32)
PICTURE, FILTERS = np.ones((1, 40, 40, 1), np.float32), np.ones((40, 40, 1, 1), np.float32)
ARRAYS = ONES, ROW, PICTURE, FILTERS

FUNCTIONS = {
    "constant": lambda x: x @ tf.constant(ONES),
    "convert_to_tensor": lambda x: x @ tf.convert_to_tensor(ONES),
    "matmul": lambda x: tf.matmul(x, ONES),
    "matmul on the left": lambda x: tf.matmul(ONES, x, transpose_b=True),
    "linalg.matmul": lambda x: tf.linalg.matmul(x, ONES),
    "add": lambda x: tf.add(x, ONES),
    "add on the left": lambda x: tf.add(ONES, x),
    "subtract": lambda x: tf.subtract(ONES, x),
    "multiply": lambda x: tf.multiply(x, ONES),
    "math.add": lambda x: tf.math.add(x, ONES),
    "math.multiply": lambda x: tf.math.multiply(x, ONES),
    "math.subtract": lambda x: tf.math.subtract(x, ONES),
    "math.divide": lambda x: tf.math.divide(ONES, x),
    "divide": lambda x: tf.divide(ONES, x),
    "maximum": lambda x: tf.maximum(x, ONES),
    "minimum": lambda x: tf.minimum(ONES, x),
    "linalg.matvec": lambda x: tf.linalg.matvec(ONES, tf.ones(512)),
    "linalg.matvec of a vector": lambda x: tf.linalg.matvec(tf.ones((2, 2000)), ROW),
    "identity": lambda x: tf.identity(ONES) * x,
    "cast": lambda x: tf.cast(ONES, tf.float64),
    "reshape": lambda x: tf.reshape(ONES, [256, 1024]),
    "transpose": lambda x: tf.transpose(ONES),
    "gather": lambda x: tf.gather(ONES, [6, 7]),
    "exp": lambda x: tf.exp(ONES),
    "tanh": lambda x: tf.tanh(ONES),
    "sin": lambda x: tf.sin(ONES),
    "cos": lambda x: tf.cos(ONES),
    "square": lambda x: tf.square(ONES),
    "sqrt": lambda x: tf.sqrt(ONES),
    "abs": lambda x: tf.abs(ONES),
    "negative": lambda x: tf.negative(ONES),
    "reduce_sum": lambda x: tf.reduce_sum(ONES) * x,
    "reduce_mean": lambda x: tf.reduce_mean(ONES, 1),
    "reduce_max": lambda x: tf.reduce_max(ONES, 1),
    "reduce_min": lambda x: tf.reduce_min(ONES, 1),
    "nn.relu": lambda x: tf.nn.relu(ONES),
    "nn.softmax": lambda x: tf.nn.softmax(ONES),
    "nn.embedding_lookup": lambda x: tf.nn.embedding_lookup(ONES, [6, 7]),
    "nn.conv2d": lambda x: tf.nn.conv2d(PICTURE, FILTERS, 1, "SAME"),
    "nn.bias_add": lambda x: tf.nn.bias_add(tf.ones((2, 2000)), ROW),
}


@pytest.mark.parametrize("engine", ["numpy", "xla"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_replay_what_lies_in_the_array(name, engine):
    python, x = FUNCTIONS[name], tf.ones((1, 512))
    with running(engine):
        f = tf.function(python)
        for k in range(4):
            for array in ARRAYS:
                array.reshape(-1)[7 * 512 % array.size :][:500] = k
            np.testing.assert_allclose(f(x), python(x), rtol=1e-5)
        assert f.report().replays >= 2  # the first call may load a module


def test_every_function_that_only_converts_has_a_case():
    assert _CONVERTING.keys() <= {name.split(" ")[0] for name in FUNCTIONS}


class Layer:
    def __init__(self):
        self.kernel = ONES
        self.weights = {"kernels": [ONES], "bias": np.zeros(512, np.float32)}

    def by_attribute(self, x):
        return tf.nn.relu(x @ self.kernel)

    def by_item(self, x):
        return x @ self.weights["kernels"][0] + self.weights["bias"]


LAYER = Layer()


def scaled(x):
    return x / ONES


def in_turn(x):
    for _ in range(3):
        x = x @ ONES / 512.0
    return x


OPERANDS = {
    "matmul": lambda x: x @ ONES,
    "on the left": lambda x: ONES @ tf.transpose(x),
    "with others": lambda x: 2.0 - ONES * x + ONES,
    "power": lambda x: x**ONES,
    "floor and rest": lambda x: x // ONES + x % ONES,
    "form": lambda x: x * ONES * ONES.shape[0],
    "twice": lambda x: scaled(x) + scaled(2 * x),
    "in a loop": in_turn,
    "attribute": LAYER.by_attribute,
    "attribute of a global object": lambda x: x @ LAYER.kernel,
    "item": LAYER.by_item,
    "in a gradient": tf.grad(lambda x: tf.reduce_sum(x @ ONES)),
}


@pytest.mark.parametrize("engine", ["numpy", "xla"])
@pytest.mark.parametrize("name", OPERANDS)
def test_operators_replay_what_lies_in_the_array(name, engine):
    python, x = OPERANDS[name], tf.ones((1, 512))
    with running(engine):
        f = tf.function(python)
        for k in range(1, 5):
            ONES[:, 7:9] = k
            np.testing.assert_allclose(f(x), python(x), rtol=1e-5)
        assert f.report().replays >= 2


class Batches:
    def __init__(self):
        self.data = np.ones((512, 512), np.float32)
        self.first, self.last = 5, 300


def of_batches(python):
    """A function of a vector, and the object with the array that it takes parts of."""
    batches = Batches()
    return (lambda x: python(batches, x)), batches


def by_variables(b, x):
    rows, row, last = b.data[b.first : b.last], b.data[b.first], b.data[-1]
    return x * rows + tf.constant(row) * last.shape[0] - x * last


def in_batches(b, x):
    total = 0.0 * x
    for i in range(0, 512, 128):
        batch = b.data[i : i + 128]
        total += tf.reduce_mean(batch * x, 0, keepdims=True)
    return total


PARTS = {
    "rows": lambda b, x: x @ b.data[:, b.first : b.last],
    "on the left": lambda b, x: b.data[b.first : b.last] * x,
    "in steps": lambda b, x: x * b.data[b.last : b.first : -3],
    "some columns": lambda b, x: x[:, ::2] - b.data[..., ::2],
    "a row": lambda b, x: x + b.data[b.first],
    "the last row": lambda b, x: x + b.data[-1],
    "with another axis": lambda b, x: x * b.data[b.first : b.last, None],
    "part of a part": lambda b, x: x * b.data[b.first : b.last][2:][1],
    "constant": lambda b, x: x * tf.constant(b.data[b.first : b.last]),
    "cast": lambda b, x: tf.cast(b.data[b.first : b.last], tf.float64),
    "in turn": lambda b, x: tf.stack([x * b.data[i : i + b.first] for i in range(0, 40, 5)]),
    "by a value": lambda b, x: x * b.data[int(tf.reduce_sum(x)) // 100 :],
    "two": lambda b, x: x * b.data[b.first :] + x * b.data[: -b.first],
    "by local variables": by_variables,
    "in batches": in_batches,
}
CHANGES = [
    lambda b: None,
    lambda b: b.data.__setitem__((slice(5, 8), slice(None)), 3.0),
    lambda b: b.data.__imul__(2),
    lambda b: setattr(b, "first", 7),
    lambda b: b.data.__setitem__((slice(-9, None), 6), -4.0),
    lambda b: setattr(b, "data", b.data[::-1]),
    lambda b: b.data.__setitem__((slice(5, 40), 6), -7.0),
    lambda b: setattr(b, "data", np.asfortranarray(b.data)),
    lambda b: b.data.__setitem__((slice(5, 40), 9), -8.0),
]


@pytest.mark.parametrize("engine", ["numpy", "xla"])
@pytest.mark.parametrize("name", PARTS)
def test_parts_replay_what_lies_in_the_array(name, engine):
    python, batches = of_batches(PARTS[name])
    x = tf.ones((1, 512))
    with running(engine):
        f = tf.function(python)
        for change in CHANGES:
            change(batches)
            for _ in range(2):
                np.testing.assert_allclose(f(x), python(x), rtol=1e-5)
        assert f.report().replays >= 10


def by_a_variable_of_two_values(b, x):
    part = b.data[b.first :]
    total = x * part
    part = b.data[0] + b.data[1]
    return total[:1] + x * part


def by_the_part_of_the_turn_before(b, x):
    total = x
    for i in range(2):
        if i:
            total += x * part  # noqa: F821  # that of the turn before
        part = b.data[i : i + 1].sum(0)  # noqa: F841  # the next turn loads it
    return total


def by_all_local_variables(b, x):
    part = b.data[b.first :]
    return x * part * float(locals()["part"].mean())


def written_to(b, x):
    part = b.data[b.first :]
    part[0] = 5.0
    return x * part


COPIES = {
    "a variable of two values": by_a_variable_of_two_values,
    "a variable of the turn before": by_the_part_of_the_turn_before,
    "all local variables": by_all_local_variables,
    "a variable that is written to": written_to,
    "rows by a list": lambda b, x: x * tf.constant(b.data[[b.first, b.last]]),
    "rows by a list, beside a tensor": lambda b, x: x * b.data[[b.first, b.last]],
    "a mask": lambda b, x: x * tf.constant(b.data[b.data[:, 0] > 0]),
    "a number": lambda b, x: x * b.data[b.first, 1],
    "a sum": lambda b, x: x * tf.constant((b.data[b.first :] + b.data[: -b.first])[0]),
    "passed to a function": lambda b, x: (lambda part: x * part)(b.data[b.first :]),
    "by NumPy": lambda b, x: x * float((b.data[b.first :] * b.data[: -b.first]).sum()),
    "a view of another dtype": lambda b, x: tf.constant(b.data[b.first :].view("int32"))[:, 0],
}


@pytest.mark.parametrize("name", COPIES)
def test_copies_of_parts_are_left_to_python(name):
    python, batches = of_batches(COPIES[name])
    x, f = tf.ones((1, 512)), tf.function(python)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(1, 4):
            batches.data[:] = k
            np.testing.assert_allclose(
                tf.cast(f(x), tf.float32), tf.cast(python(x), tf.float32), rtol=1e-5
            )
    assert "too large" in f.report().refused[0] or f.report().replays == 0


def test_a_small_view_of_the_same_memory_may_become_another_array():
    batches = Batches()
    batches.few = batches.data[:20]
    f = tf.function(lambda x: x * batches.few[batches.first] + x @ batches.data[:, :])
    x = tf.ones((1, 512))
    for _ in range(2):
        f(x)
        batches.few = batches.few.copy()
        f(x)
        batches.data[5] += 1
        expected = x * batches.few[5] + x @ batches.data
        np.testing.assert_allclose(f(x), expected, rtol=1e-6)


@given(data())
def test_windows_show_what_basic_indices_show(data):
    owner = np.arange(120).reshape(4, 5, 6)
    turns = data.draw(tuples(*[sampled_from([1, -1, 2])] * 3))
    order = data.draw(permutations(range(3)))
    array = owner[tuple([slice(None, None, turn) for turn in turns])].transpose(order)
    view = array[data.draw(basic_indices(array.shape, allow_newaxis=True))]
    if isinstance(view, np.ndarray) and view.size:
        window = Window.between(view, array)
        assert window is not None
        owner += 1000
        np.testing.assert_array_equal(window.of(array), view)
        assert not window.of(array).flags.writeable


def test_windows_of_other_memory_are_none():
    owner = np.arange(24.0).reshape(4, 6)
    array = owner[1:3]
    for other in (
        owner,
        owner[0],
        owner[3:],
        owner[:2],
        owner.copy()[1:],
        owner.view("int64")[1:3],
    ):
        assert Window.between(other, array) is None


@pytest.mark.parametrize("operand", [np.ones(1 << 15), np.float64(2)])
def test_operators_of_arrays_alone_are_left_to_python(operand):
    values = np.ones(1 << 15)

    def python(x):
        return x + np.sum(operand * values)

    f = tf.function(python)
    for k in range(3):
        values[:] = k
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert f(tf.constant(1.0, tf.float64)) == python(1.0)
    assert "too large" in f.report().refused[0]


def test_functions_that_a_debugger_follows_run_as_python():
    f = tf.function(lambda x: x @ ONES)
    before = sys.gettrace()
    sys.settrace(lambda *event: None)
    try:
        f(tf.ones((1, 512)))
    finally:
        sys.settrace(before)
    assert f.report().recordings == 0
    f(tf.ones((1, 512)))
    assert sys.gettrace() is before
    f(tf.ones((1, 512)))
    assert f.report().replays == 1


def test_arrays_of_medium_size_are_compared():
    table = np.ones(10_000, np.float32)
    f = tf.function(lambda x: x * float(table.mean()))
    assert [float(f(tf.constant(1.0))) for _ in range(3)] == [1, 1, 1]
    table[:] = 2
    assert float(f(tf.constant(1.0))) == 2
    assert f.report().replays == 2


def test_results_and_gradients_keep_what_the_array_was():
    ks = np.ones(5000, np.float32)
    x, v = tf.Variable(2.0), tf.Variable(tf.zeros(5000))

    @tf.function
    def f():
        v.assign(tf.constant(ks))
        return tf.constant(ks), tf.multiply(x, ks)

    for k in range(3):
        ks[:] = k
        with tf.GradientTape() as tape:
            same, product = f()
        ks[:] = 100
        assert set(same.numpy()) == set(v.numpy()) == {k}
        assert tape.gradient(product, x).numpy() == 5000 * k
    assert f.report().replays == 2


def test_recordings_keep_no_array_alive():
    ks = np.ones(5000, np.float32)
    gone = weakref.ref(ks)
    f = tf.function(lambda: tf.reduce_sum(tf.constant(ks)))
    f()
    f()
    ks = 2 * ks
    gc.collect()
    assert gone() is None
    assert f().numpy() == 10000


def test_concrete_functions_keep_what_the_array_was(tmp_path):
    ks = np.ones(5000, np.float32)
    module = tf.Module()
    module.f = tf.function(lambda: tf.reduce_sum(tf.constant(ks)), input_signature=())
    module.f()
    module.f()
    tf.saved_model.save(module, str(tmp_path))
    ks[:] = 2
    assert tf.saved_model.load(str(tmp_path)).f().numpy() == 5000
    assert module.f().numpy() == 10000
