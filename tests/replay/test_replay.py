"""Functions that were recorded: replays do what the Python would do."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import cinta as tf
from tests.replaying import recordings


@pytest.fixture
def w():
    return tf.Variable([[1.0, 2.0], [3.0, 4.0]])


def test_python_runs_once_for_each_way_it_can_go():
    @tf.function
    def f(x):
        return x * 2 if tf.reduce_sum(x) > 0 else -x

    for k, expected in [(1.0, 2.0), (2.0, 4.0), (-3.0, 3.0), (5.0, 10.0), (-1.0, 1.0)]:
        assert f(tf.constant([k])).numpy() == [expected]
    assert len(recordings(f)) == 1  # with a branch


def test_loops_on_values_are_recorded_once():
    @tf.function
    def total(n):
        s = tf.constant(0)
        while n > 0:
            s, n = s + n, n - 1
        return s

    assert [int(total(tf.constant(n))) for n in (3, 2, 3, 4, 2)] == [6, 3, 6, 10, 3]
    assert len(recordings(total)) == 1


def test_a_training_step_changes_variables_as_python_does(w):
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((x @ w) ** 2)
        w.assign_sub(0.01 * tape.gradient(loss, w))
        return loss

    x, start = tf.constant([[1.0, -1.0]]), w.numpy()
    expected = [step(x).numpy() for _ in range(4)], w.numpy()
    w.assign(start)
    compiled = tf.function(step)
    np.testing.assert_array_equal([compiled(x).numpy() for _ in range(4)], expected[0])
    np.testing.assert_array_equal(w.numpy(), expected[1])
    assert len(recordings(compiled)) == 1


@pytest.mark.parametrize("update", ["scatter_add", "scatter_sub", "scatter_update", "scatter_max"])
def test_rows_of_variables_are_updated(w, update):
    @tf.function
    def change(rows, values):
        getattr(w, update)(tf.IndexedSlices(values, rows))
        return w.read_value()

    start = w.numpy()
    for rows in ([0, 0], [1, 0], [1, 1]):
        w.assign(start)
        given = tf.constant(rows), tf.constant([[5.0, -5.0], [7.0, 0.5]])
        expected = tf.Variable(start)
        getattr(expected, update)(tf.IndexedSlices(given[1], given[0]))
        np.testing.assert_array_equal(change(*given).numpy(), expected.numpy())
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in"):
        change(tf.constant([0, 2]), given[1])


def test_parts_of_variables_are_assigned(w):
    @tf.function
    def change(x):
        w[0].assign(x)
        return w * 1.0

    for k in (5.0, 6.0):
        np.testing.assert_array_equal(change(tf.constant(k)).numpy(), [[k, k], [3, 4]])


def test_no_variable_is_changed_by_a_call_that_fails(w):
    @tf.function
    def f(x, i):
        w.assign_add(x * tf.ones([2, 2]))
        return tf.gather(w, i)

    f(tf.constant(1.0), tf.constant(0))
    before = w.numpy()
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(1.0), tf.constant(5))
    np.testing.assert_array_equal(w.numpy(), before)


def test_no_variable_is_changed_by_a_first_call_that_fails(w):
    @tf.function
    def f(x):
        w.assign_add(x * tf.ones([2, 2]))
        raise KeyError("stop")

    before = w.numpy()
    with pytest.raises(KeyError):
        f(tf.constant(1.0))
    np.testing.assert_array_equal(w.numpy(), before)


@pytest.mark.parametrize(
    "part",
    [
        lambda x, i, j: x[i],
        lambda x, i, j: x[i, j],
        lambda x, i, j: x[..., i],
        lambda x, i, j: x[i, ..., j],
        lambda x, i, j: x[1:, i],
        lambda x, i, j: x[1, tf.newaxis, :, i],
        lambda x, i, j: x[i, tf.newaxis, j, 0],
        lambda x, i, j: x[..., i, tf.newaxis, j],
    ],
)
def test_positions_that_are_tensors_are_looked_up(part):
    x = tf.constant(np.arange(27.0).reshape(3, 3, 3))
    replayed = tf.function(part)
    for i, j in [(0, 1), (2, 0), (-1, -3)]:
        given = tf.constant(i), tf.constant(j)
        np.testing.assert_array_equal(replayed(x, *given).numpy(), part(x, *given).numpy())
    assert len(recordings(replayed)) == 1
    with pytest.raises(tf.errors.InvalidArgumentError):
        replayed(x, tf.constant(3), tf.constant(3))


def test_functions_in_functions_are_recorded_with_them():
    inner = tf.function(lambda x: x * 2.0)
    outer = tf.function(lambda x: inner(x) + 1.0)
    assert [outer(tf.constant(k)).numpy() for k in (1.0, 2.0, 3.0)] == [3.0, 5.0, 7.0]
    assert [inner(tf.constant(k)).numpy() for k in (1.0, 2.0)] == [2.0, 4.0]


def test_a_function_may_call_itself():
    @tf.function
    def factorial(n):
        return n * factorial(n - 1) if n > 1 else n

    assert [int(factorial(tf.constant(n))) for n in (5, 5, 3, 3, 5)] == [120, 120, 6, 6, 120]


def test_threads_share_a_function(w):
    @tf.function
    def f(x):
        return tf.reduce_sum(tf.tanh(x @ w) * x)

    inputs = [tf.constant(np.full((1, 2), k, "f")) for k in range(8)]
    expected = [f.python_function(x).numpy() for x in inputs]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            found = list(pool.map(lambda x: f(x).numpy(), inputs))
            np.testing.assert_array_equal(found, expected)


def test_variables_made_once_are_kept():
    made = []

    @tf.function
    def f(x):
        if not made:
            made.append(tf.Variable(2.0))
        return made[0].assign_add(x)

    assert [f(tf.constant(1.0)).numpy() for _ in range(4)] == [3, 4, 5, 6]
    assert len(made) == 1


def test_the_number_of_recordings_is_bounded():
    f = tf.function(lambda x, k: x * k)
    with pytest.warns(UserWarning, match=r"argument 1 changed: 62 → 63"):
        found = [int(f(tf.constant(2), k)) for k in range(100)]
    assert found == list(range(0, 200, 2))
    assert len(recordings(f)) == 64


def test_a_listing_shows_what_was_recorded(w):
    listing = str(tf.function(lambda x: x @ w + 1.0).recording(tf.ones([3, 2])))
    assert "MatMul(%0, %1, transpose_a=False, transpose_b=False)" in listing
    assert listing.splitlines()[-1] == "  return %3"


def test_taking_a_listing_changes_nothing(w):
    @tf.function
    def f(x):
        w.assign_add(x * tf.random.normal([2, 2]))
        return w

    before = w.numpy()
    f.recording(tf.constant(1.0))
    np.testing.assert_array_equal(w.numpy(), before)


def test_programs_go_with_their_function():
    f = tf.function(lambda x: x * 2.0)
    f(tf.constant(1.0))
    f(tf.constant(1.0))
    gone = weakref.ref(f._variants)
    del f
    gc.collect()
    assert gone() is None


def test_a_report_tells_of_the_calls():
    f = tf.function(lambda x: x * tf.constant([1.0, 2.0]))
    for k in (1.0, 2.0, 3.0):
        f(tf.constant(k))
    report = f.report()
    assert (report.calls, report.replays, report.recordings) == (3, 2, 1)
    assert report.bytes_kept == 8
    assert report.compile_seconds > 0
    assert str(report).startswith("<lambda>: 3 calls, 2 of them replayed")


def test_verbosity(capsys):
    f = tf.function(lambda x, k: x * k)
    try:
        tf.config.set_verbosity(2)
        f(tf.constant(1.0), 1)
        f(tf.constant(1.0), 2)
        f(tf.constant(1.0), 2)
    finally:
        tf.config.set_verbosity(1)
    assert capsys.readouterr().err.splitlines() == [
        "recorded <lambda>, for the first time",
        "recorded <lambda>, argument 1 changed: 1 → 2",
    ]
    with pytest.raises(ValueError, match="0, 1 or 2"):
        tf.config.set_verbosity(3)


def test_sizes_that_depend_on_values_are_guarded(w):
    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.boolean_mask(x * w[0, 0], x > 0))
        return tape.gradient(loss, w)[0, 0], tf.shape(tf.where(x > 0))[0]

    for values in ([1.0, -1.0, 2.0], [1.0, 2.0, 3.0], [1.0, -1.0, 2.0]):
        found = slope(tf.constant(values))
        kept = [v for v in values if v > 0]
        assert [found[0].numpy(), found[1].numpy()] == [np.mean(kept, dtype="f"), len(kept)]


def test_variables_of_open_shape_may_grow():
    v = tf.Variable([1.0], shape=[None])
    f = tf.function(lambda x: x * tf.cast(tf.size(v), tf.float32))
    sizes = []
    for values in ([1.0], [2.0], [1.0, 2.0, 3.0]):
        v.assign(values)
        sizes.append(float(f(tf.constant(1.0))))
    assert sizes == [1, 1, 3]


@pytest.mark.filterwarnings("ignore:.*runs its Python at every call")
def test_errors_that_are_caught_are_caught_in_replays():
    @tf.function
    def f(x, y):
        try:
            return x // y
        except tf.errors.InvalidArgumentError:
            return x * 0 - 1

    given = [(7, 0), (7, 0), (7, 2), (7, 0), (9, 3), (9, 0)]
    assert [int(f(tf.constant(x), tf.constant(y))) for x, y in given] == [-1, -1, 3, -1, 3, -1]


def test_recordings_do_not_keep_what_variables_held():
    v = tf.Variable(np.zeros(1000))
    f = tf.function(lambda x, k: v.assign_add(v * x * k) is None)
    kept = []
    for k in range(3):
        f(tf.constant(1.0, tf.float64), k)
        kept.append(weakref.ref(v._array))
        f(tf.constant(1.0, tf.float64), k)
    v.assign(np.ones(1000))
    gc.collect()
    assert [each() for each in kept] == [None] * 3


def test_checks_that_are_switched_on_are_made_in_replays():
    f = tf.function(lambda x: tf.math.log(x))
    assert [float(f(tf.constant(0.0))) for _ in range(3)] == [-np.inf] * 3
    tf.debugging.enable_check_numerics()
    try:
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Infinity"):
                f(tf.constant(0.0))
    finally:
        tf.debugging.disable_check_numerics()
    assert float(f(tf.constant(1.0))) == 0
