"""Values that functions compiled by XLA take, refuse, and keep on a device."""

import pickle
import sys

import jax
import numpy as np
import pytest

import cinta as tf
from tests.replay.compiling import compiled, programs


def integers(*values):
    return tf.constant(values, tf.int32)


TABLE = tf.Variable(tf.eye(3))
MATRIX = tf.constant([[2.0, 1.0], [1.0, 2.0]])
REFUSED = {
    "gather": (lambda i: tf.gather(tf.constant([1.0, 2.0]), i), integers(1), integers(2)),
    "gather below": (lambda i: tf.gather(tf.constant([1.0]), i), integers(0), integers(-1)),
    "gather_nd": (lambda i: tf.gather_nd(tf.eye(2), i), integers(1, 1), integers(1, 2)),
    "scatter_nd": (
        lambda i: tf.scatter_nd(i, tf.constant([1.0]), [3]),
        tf.constant([[1]]),
        tf.constant([[3]]),
    ),
    "embedding": (
        lambda i: tf.nn.embedding_lookup(TABLE, i),
        integers(1),
        integers(3),
    ),
    "unravel_index": (lambda i: tf.unravel_index(i, [2, 2]), integers(3), integers(4)),
    "segment_sum": (
        lambda i: tf.math.unsorted_segment_sum(tf.constant([1.0]), i, 2),
        integers(1),
        integers(2),
    ),
    "segment_max": (
        lambda i: tf.math.unsorted_segment_max(tf.constant([1.0]), i, 2),
        integers(1),
        integers(2),
    ),
    "floordiv": (lambda n: integers(7) // n, integers(2), integers(0)),
    "floormod": (lambda n: integers(7) % n, integers(2), integers(0)),
    "truncatediv": (lambda n: tf.truncatediv(integers(7), n), integers(2), integers(0)),
    "labels": (
        lambda i: tf.nn.sparse_softmax_cross_entropy_with_logits(i, tf.ones([1, 3])),
        integers(2),
        integers(3),
    ),
    "inv": (tf.linalg.inv, MATRIX, tf.ones([2, 2])),
    "solve": (lambda m: tf.linalg.solve(m, tf.ones([2, 1])), MATRIX, tf.ones([2, 2])),
    "check_numerics": (
        lambda x: tf.debugging.check_numerics(tf.math.log(x), "bad"),
        tf.constant(1.0),
        tf.constant(0.0),
    ),
    "assert": (
        lambda x: tf.debugging.assert_positive(x) or x,
        tf.constant(1.0),
        tf.constant(-1.0),
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_values_are_refused_as_python_refuses_them(what):
    python, good, bad = REFUSED[what]
    f = compiled(lambda x: python(x))
    for _ in range(2):
        np.testing.assert_allclose(f(good), python(good), rtol=1e-6)
    with pytest.raises(tf.errors.InvalidArgumentError) as expected:
        python(bad)
    with pytest.raises(tf.errors.InvalidArgumentError) as found:
        f(bad)
    assert str(found.value) == str(expected.value)
    np.testing.assert_allclose(f(good), python(good), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64"])
def test_large_powers_of_whole_numbers_overflow_as_in_python(dtype):
    x = tf.constant([3, 5, 2, 7, 1], dtype)
    f = compiled(lambda x, y: (x**y, 3**y))
    for exponents in [65, 64, 31, 100, 127], [0, 1, 2, 63, 126]:
        y = tf.constant(exponents, dtype)
        for found, expected in zip(f(x, y), (x**y, 3**y), strict=True):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("exponent", [np.int64(3), np.int32(2), np.array(3)], ids=repr)
def test_whole_exponents_of_other_numbers(exponent):
    x = tf.constant([1.5, -2.5])
    power = tf.function(lambda x: x**exponent, jit_compile=True)
    for _ in range(3):
        np.testing.assert_allclose(power(x), x.numpy() ** int(exponent))


def test_rows_beside_a_variable_are_refused_and_nothing_is_changed():
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(0.0)

    @compiled
    def f(rows):
        w.assign_add(1.0)
        v.scatter_add(tf.IndexedSlices(tf.constant([5.0]), rows))

    for _ in range(2):
        f(integers(1))
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not index into shape"):
        f(integers(2))
    assert v.numpy().tolist() == [1, 12]
    assert w.numpy() == 2
    assert programs(f)[0].compile_seconds > 0


def test_a_guard_comes_before_an_error_behind_it():
    @compiled
    def f(i):
        return tf.gather(tf.constant([1.0, 2.0]), i) if i < 2 else tf.constant(0.0)

    assert [f(tf.constant(i)).numpy() for i in (0, 1, 7, 1, 8)] == [1, 2, 0, 2, 0]


def test_only_the_lower_half_of_a_matrix_is_read_where_python_does_so():
    matrix = tf.constant([[2.0, 9.0], [1.0, 3.0]])
    for python in (tf.linalg.cholesky, tf.linalg.eigvalsh, lambda x: tf.linalg.eigh(x)[0]):
        f = compiled(lambda x, python=python: python(x))
        for _ in range(2):
            np.testing.assert_allclose(f(matrix), python(matrix), rtol=1e-6)
    f = compiled(lambda x: tf.linalg.cholesky(x))
    for _ in range(2):
        assert np.isnan(f(-matrix).numpy()[1, 1])


def test_what_has_another_shape_than_it_had_is_computed_all_the_same(capsys):
    def f(x):
        tf.print("x", output_stream=sys.stdout)
        return tf.reduce_sum(tf.gather(x, tf.where(x > 0)[:, 0]) ** 2) + tf.reduce_sum(x)

    g = compiled(f)
    for values in ([1.0, -1.0, 2.0], [1.0, -1.0, 3.0], [1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]):
        x = tf.constant(values)
        assert g(x).numpy() == f(x).numpy()
    assert capsys.readouterr().out == "x\n" * 8


@pytest.fixture
def elsewhere(monkeypatch):
    """As if the device were not the processor."""
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")


def test_values_of_variables_come_from_a_device_when_somebody_asks(elsewhere):
    v, w = tf.Variable([1.0, 2.0], name="v"), tf.Variable(0)

    @compiled
    def f(x):
        v.assign(v * x)
        w.assign_add(1)
        return tf.reduce_sum(x)

    for _ in range(3):
        f(tf.constant(2.0))
    assert "_array" not in vars(v)
    assert "_array" not in vars(w)
    assert v.shape == (2,)
    assert v.numpy().tolist() == [8, 16]
    assert (w + 1).numpy() == 4
    assert "_unsettled" not in vars(v)
    f(tf.constant(2.0))
    copied = pickle.loads(pickle.dumps(v))
    assert copied.numpy().tolist() == [16, 32]
    f(tf.constant(2.0))
    v.assign_add([1.0, 1.0])
    f(tf.constant(1.0))
    with tf.GradientTape() as tape:
        f(tf.constant(1.0))
        y = tf.reduce_sum(v * v)
    assert tape.gradient(y, v).numpy().tolist() == [66, 130]
    with pytest.raises(AttributeError, match="nothing"):
        v.nothing  # noqa: B018


def test_what_stayed_on_a_device_is_there_for_other_functions(elsewhere):
    v = tf.Variable([1.0, 2.0])
    f, g = compiled(lambda: v.assign(v * 2)), tf.function(lambda: v + 1)
    g(), g()
    f(), f()
    assert g().numpy().tolist() == [5, 9]


def test_what_finds_another_number_of_results_is_recorded_again():
    calls = []

    def some(x):
        calls.append(1)
        return np.arange(int(x), dtype=np.int32)

    f = compiled(lambda x: tf.reduce_sum(tf.numpy_function(some, [x], tf.int32) * 2))
    assert [f(tf.constant(n)).numpy() for n in (3, 3, 4)] == [6, 6, 12]
    assert len(calls) == 3


def test_a_device_without_room_is_resource_exhausted():
    f = compiled(lambda x: x * 2)
    f(1.0), f(1.0)
    (program,) = programs(f)

    def full(*arrays):
        raise jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED: Out of memory")

    program.run = full
    f._variants.entries = ()
    with pytest.raises(tf.errors.ResourceExhaustedError, match="Out of memory"):
        f(1.0)


def test_large_results_stay_on_the_device_until_they_are_read():
    f = compiled(lambda x: x * 2.0)
    x = tf.constant(np.linspace(1.0, 2.0, 1000, dtype=np.float32))
    for _ in range(3):
        y = f(x)
    z = f(f(y))
    assert not is_read(y)
    assert not is_read(z)
    assert y.shape == (1000,)
    assert is_read(y)
    np.testing.assert_array_equal(z.numpy(), 8.0 * x.numpy())
    np.testing.assert_array_equal((z + 1.0).numpy(), 8.0 * x.numpy() + 1.0)


def test_small_results_of_small_work_are_on_the_host_at_once():
    f = compiled(lambda x: (x * 2.0, tf.reduce_sum(x)))
    x = tf.constant([1.0, 2.0])
    for _ in range(3):
        y, total = f(x)
    assert is_read(y)
    assert is_read(total)
    assert y.numpy().tolist() == [2.0, 4.0]
    assert total.numpy() == 3.0


def is_read(tensor):
    """Whether the array of a tensor was fetched."""
    try:
        return type(tensor)._array.__get__(tensor) is not None
    except AttributeError:
        return False


def test_variables_of_64_bits_are_computed_with_all_of_them():
    v = tf.Variable(tf.constant(1 / 3, tf.float64))
    n = tf.Variable(2**40)

    @tf.function(jit_compile=True)
    def step(x):
        v.assign(v * x)
        n.assign_add(2**35)
        return v + x, n * 3

    v.assign(1 / 3), n.assign(2**40)
    for _ in range(4):
        y, m = step(tf.constant(1.1, tf.float64))
    expected = np.float64(1 / 3)
    for _ in range(4):
        expected = expected * 1.1
    np.testing.assert_allclose(y.numpy(), expected + 1.1, rtol=1e-14)
    assert m.numpy() == 3 * (2**40 + 4 * 2**35)


@pytest.mark.parametrize("size", [2, 1000])
def test_nothing_is_assigned_before_the_device_has_computed_it(size):
    v, w = tf.Variable(np.arange(size, dtype=np.float32)), tf.Variable(3.0)

    @tf.function(jit_compile=True)
    def step(x):
        v.assign(v * x)
        w.assign_add(x)
        return w + x

    for _ in range(3):
        step(tf.constant(2.0))
    before = v.numpy(), w.numpy()

    class Failing:
        """A value of which the device says later that it could not be computed."""

        def block_until_ready(self):
            raise jax.errors.JaxRuntimeError("INTERNAL: the device failed")

        def __array__(self, *args, **kwargs):
            self.block_until_ready()

    (program,) = programs(step)
    running = program.run.__globals__
    if size == 2:  # all values travel in one array
        running = running["execute"].__globals__
    running["execute"], execute = lambda *given: [Failing()] * 3, running["execute"]
    with pytest.raises(jax.errors.JaxRuntimeError):
        step(tf.constant(2.0))
    assert v.numpy().tolist() == before[0].tolist()
    assert w.numpy() == before[1]
    running["execute"] = execute
    step(tf.constant(2.0))
    assert v.numpy().tolist() == (2 * before[0]).tolist()


def test_a_number_that_changes_is_sent_anew():
    f = compiled(lambda x: x + 1.0)
    one, two = tf.constant(1.0), tf.constant(2.0)
    assert [float(f(x)) for x in (one, one, one, two, one, two, two, two)] == [
        *(2.0, 2.0, 2.0, 3.0, 2.0, 3.0, 3.0, 3.0)
    ]
    v, g = tf.Variable(1 / 3, dtype=tf.float64), compiled(lambda: v * 3.0)
    assert [g().numpy() for _ in range(5)] == [np.float64(1 / 3) * 3.0] * 5
