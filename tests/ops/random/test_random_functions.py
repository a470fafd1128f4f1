"""Random ops in functions draw TensorFlow's numbers, whichever way a call runs."""

import gc
import random
import threading

import numpy as np
import pytest

import cinta as tf
from cinta.ops.random.state import seeds

FIRST, SECOND = [0.3052, 0.5671], [0.3315, 0.4665]  # of the op with the number 0
OTHER = [0.2818, 2.3878]  # of the op with the number 1
EAGER = [-1.1012, 1.5458], [0.4031, -1.088]

pytestmark = pytest.mark.filterwarnings("ignore:.*runs its Python at every call")


@pytest.fixture(autouse=True)
def global_seed():
    tf.random.set_seed(1)
    yield
    tf.random.set_seed(None)


def normal():
    return tf.random.normal([2])


def is_drawn(found, *expected):
    flat = [np.asarray(x).ravel() for x in tf.nest.flatten(found)]
    np.testing.assert_allclose(flat, expected, atol=1e-4)


def test_calls_of_a_function_without_random_ops_are_counted_too():
    quiet, drawing = tf.function(lambda x: x + 1.0), tf.function(lambda: tf.random.normal([2]))

    def outer():
        quiet(tf.constant(1.0))
        found = drawing()
        return found if random.random() < 2 else None  # so that it runs as Python

    f = tf.function(outer)
    found = [f().numpy() for _ in range(4)]
    tf.random.set_seed(1)
    for each in found:
        np.testing.assert_array_equal(f(), each)
    assert len({each.tobytes() for each in found}) == 4


@pytest.mark.parametrize("compiled", [False, True])
def test_an_op_keeps_its_numbers_from_call_to_call(compiled):
    f = tf.function(normal, jit_compile=compiled)
    is_drawn([f(), f(), f()], FIRST, SECOND, [1.1675, -0.7631])
    tf.random.set_seed(1)
    is_drawn([f(), f()], FIRST, SECOND)


def test_ops_are_numbered_in_their_function():
    is_drawn(tf.function(lambda: (normal(), normal()))(), FIRST, OTHER)


def test_each_function_begins_anew():
    is_drawn([tf.function(normal)(), tf.function(normal)()], FIRST, FIRST)


def test_functions_leave_eager_ops_alone():
    f = tf.function(normal)
    is_drawn([normal(), f(), normal(), f()], EAGER[0], FIRST, EAGER[1], SECOND)


def test_ops_with_a_seed_have_no_number_and_streams_of_their_own():
    f = tf.function(
        lambda: (tf.random.normal([2], seed=5), tf.random.normal([2], seed=5), normal())
    )
    seeded = [0.3369, 1.7748], [1.45, 0.6112]
    is_drawn([f(), f()], seeded[0], seeded[0], FIRST, seeded[1], seeded[1], SECOND)


def test_a_function_has_numbers_for_each_place_where_it_is_called():
    inner = tf.function(normal)
    outer = tf.function(lambda: (inner(), normal(), inner()))
    is_drawn([inner(), inner()], FIRST, SECOND)
    is_drawn([outer(), outer()], *[FIRST] * 3, *[SECOND] * 3)
    is_drawn(inner(), [1.1675, -0.7631])


def test_a_function_that_runs_as_python_draws_the_same():
    calls = []
    inner = tf.function(normal)

    @tf.function
    def outer():
        calls.append(0)
        return inner(), normal(), inner()

    is_drawn([outer() for _ in range(2)], *[FIRST] * 3, *[SECOND] * 3)
    third, fourth = outer(), outer()
    is_drawn(third, *[[1.1675, -0.7631]] * 3)
    assert len(calls) == 4
    assert not np.array_equal(third[0], fourth[0])


def test_branches_that_python_chooses_draw_as_if_it_ran():
    calls = []

    def draw(x):
        return x + tf.random.normal([3]) if tf.random.uniform([]) > 0.5 else -x

    def never_replayed(x):
        calls.append(0)
        return draw(x)

    drawn = []
    for function in tf.function(draw), tf.function(never_replayed):
        tf.random.set_seed(3)
        drawn.append([function(tf.ones(3)).numpy() for _ in range(10)])
    np.testing.assert_array_equal(*drawn)
    assert len(np.unique(drawn[0])) > 4


def test_arguments_of_each_kind_have_numbers_of_their_own():
    f = tf.function(lambda x: normal() + 0 * x)
    one, two = tf.constant(0.0), tf.constant([0.0, 0.0])
    is_drawn([f(one), f(two), f(one)], FIRST, FIRST, SECOND)


def test_branches_and_bodies_of_loops_are_numbered_apart():
    branch = tf.function(lambda: (normal(), tf.cond(tf.constant(True), normal, normal)))
    is_drawn([branch(), branch()], FIRST, FIRST, SECOND, SECOND)

    @tf.function
    def turns():
        rows = tf.map_fn(lambda _: tf.random.uniform([]), tf.zeros([3]))
        return rows, tf.random.uniform([3])[:1]

    (rows, single), (later, _) = turns(), turns()
    is_drawn([rows, later], [0.8127, 0.5273, 0.8489], [0.8929, 0.3781, 0.9844])
    is_drawn(single, [0.8127])


def test_a_loop_in_python_makes_an_op_at_each_turn():
    f = tf.function(lambda: [tf.random.uniform([1]) for _ in range(3)])
    is_drawn(f(), [0.8127], [0.0555], [0.4064])
    is_drawn(f(), [0.5273], [0.8388], [0.4316])


def test_a_python_loop_over_a_range_of_tensors_makes_an_op_at_each_turn():
    @tf.function
    def f():
        drawn = tf.zeros([0])
        for _ in tf.range(3):
            drawn = tf.concat([drawn, tf.random.uniform([1])], 0)
        return drawn

    is_drawn(f(), [0.8127, 0.0555, 0.4064])


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda: tf.random.uniform([2]), [[0.8127, 0.0786], [0.8489, 0.0983]]),
        (lambda: tf.random.uniform([4], 0, 100, tf.int32), [[32, 96, 92, 27], [10, 10, 36, 96]]),
        (lambda: tf.random.truncated_normal([2]), [FIRST, SECOND]),
        (lambda: tf.random.shuffle(tf.range(6)), [[4, 2, 1, 0, 5, 3], [0, 2, 4, 5, 3, 1]]),
        (
            lambda: tf.random.categorical([[1.0, 2.0, 3.0]], 6),
            [[2, 1, 2, 0, 2, 2], [1, 2, 1, 2, 2, 2]],
        ),
        (lambda: tf.random.gamma([2], 1.5), [[2.2369, 4.2389], [0.7495, 0.4092]]),
        (lambda: tf.random.poisson([4], 10.5), [[6, 17, 9, 16], [12, 9, 6, 12]]),
        (lambda: tf.nn.dropout(tf.ones([6]), 0.5), [[2, 0, 2, 0, 0, 2], [0, 0, 0, 2, 0, 2]]),
    ],
)
def test_every_kind_draws_tensorflows_numbers(draw, expected, compiled):
    f = tf.function(draw, jit_compile=compiled)
    is_drawn([f(), f()], *expected)


def test_gradients_leave_the_numbers_as_they_are():
    w = tf.Variable([1.0, 1.0])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * normal())
        return tape.gradient(loss, w)

    is_drawn([step(), step()], FIRST, SECOND)

    tf.random.set_seed(1)
    f = tf.function(lambda: w * normal())
    for expected in FIRST, SECOND:
        with tf.GradientTape() as tape:
            drawn = f()
        is_drawn(tape.gradient(drawn, w), expected)


def test_a_failed_call_takes_its_numbers_once():
    @tf.function
    def f(x):
        drawn = normal()
        tf.debugging.assert_positive(x)
        return drawn

    is_drawn(f(tf.constant(1.0)), FIRST)
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(-1.0))
    is_drawn(f(tf.constant(1.0)), [1.1675, -0.7631])


def test_the_global_seed_of_now_counts():
    f = tf.function(normal)
    f()
    tf.random.set_seed(2)
    is_drawn(f(), [-0.3826, -0.478])


def test_python_functions_in_functions_draw_as_eager_code():
    f = tf.function(lambda: (tf.py_function(normal, [], tf.float32), normal()))
    is_drawn([f(), f()], EAGER[0], FIRST, EAGER[1], SECOND)


def test_threads_draw_each_number_once():
    f, drawn = tf.function(normal), []
    f()
    threads = [
        threading.Thread(target=lambda: drawn.extend([tuple(f().numpy()) for _ in range(20)]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(drawn)) == 80


def test_saved_functions_draw_the_same_numbers(tmp_path):
    module = tf.Module()
    module.inner = tf.function(normal, input_signature=[])
    module.f = tf.function(lambda: (module.inner(), normal(), normal()), input_signature=[])
    tf.saved_model.save(module, tmp_path / "model")
    loaded = tf.saved_model.load(tmp_path / "model")
    tf.random.set_seed(1)
    is_drawn(loaded.f(), FIRST, FIRST, OTHER)
    is_drawn(loaded.inner(), FIRST)
    outer = tf.function(lambda: (normal(), loaded.f()))
    is_drawn(outer(), FIRST, FIRST, FIRST, OTHER)
    later = outer()
    is_drawn(later[0], SECOND)
    is_drawn(later[1][:2], SECOND, SECOND)


def test_functions_that_are_gone_leave_no_streams():
    before = len(seeds._counters)
    for _ in range(5):
        f = tf.function(normal)
        f()
        del f
    gc.collect()
    assert len(seeds._counters) == before
