"""ForwardAccumulator: what it knows, of whom, and for how long."""

import gc
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import cinta as tf
from cinta.engine import recorders
from tests.shorthand import values

Accumulator = tf.autodiff.ForwardAccumulator


def pushed(f, x, v):
    """The derivative of a function along a direction."""
    with Accumulator(x, v) as acc:
        y = f(x)
    return acc.jvp(y)


@pytest.fixture
def x():
    return tf.constant([1.0, 2.0])


# -- primals and tangents --------------------------------------------------------------------------


def test_a_tangent_is_the_derivative_along_the_direction(x):
    assert values(pushed(lambda x: x**2, x, tf.constant([1.0, 0.5]))) == [2, 2]


def test_primals_may_be_a_structure():
    p = {"a": tf.constant(2.0), "b": [tf.Variable(3.0)]}
    v = {"a": tf.constant(1.0), "b": [tf.constant(10.0)]}
    with Accumulator(p, v) as acc:
        y = p["a"] * p["b"][0]
    assert values(acc.jvp({"y": y, "p": [p["a"]]})) == {"y": 23, "p": [1]}


@pytest.mark.parametrize("tangent", [1, 1.0, np.float32(1), tf.constant(1.0)])
def test_tangents_get_the_dtype_of_the_primal(tangent):
    t = pushed(lambda x: x, tf.constant(2.0), tangent)
    assert (t.dtype, values(t)) == (tf.float32, 1)


def test_other_structures_are_refused(x):
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        Accumulator(x, [1.0, 0.0])
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        Accumulator([x], [x, x])
    with pytest.raises(TypeError, match="don't have the same nested structure"):
        Accumulator([x], (x,))


def test_another_dtype_is_refused(x):
    with pytest.raises(ValueError, match="requested dtype float32 for Tensor with dtype float64"):
        Accumulator(x, tf.constant([1.0, 0.0], tf.float64))


def test_no_tangent_is_refused(x):
    with pytest.raises(ValueError, match="None"):
        Accumulator([x], [None])


@pytest.mark.parametrize("primal", [1.0, 3, np.ones(2)])
def test_a_primal_that_is_no_tensor_is_refused(primal):
    with pytest.raises(AttributeError):
        Accumulator(primal, primal)


def test_a_primal_given_twice_is_refused(x):
    with pytest.raises(ValueError, match="was specified as a primal multiple times"):
        Accumulator([x, x], [x, x])
    v = tf.Variable(1.0)
    with pytest.raises(ValueError, match="was specified as a primal multiple times"):
        Accumulator([v, v], [tf.constant(1.0)] * 2)


def test_tangents_are_broadcast_or_refused(x):
    assert values(pushed(lambda x: x * x, x, tf.constant(1.0))) == [2, 4]
    with pytest.raises(ValueError, match="Dimensions must be equal"):
        Accumulator(x, tf.ones([3]))


def test_an_integer_keeps_its_tangent_and_passes_none_on():
    i = tf.constant(3)
    with pytest.warns(UserWarning, match="must be floating"):
        acc = Accumulator(i, tf.constant(2))
    with acc:
        y = tf.cast(i, tf.float32) * 2.0
    assert values(acc.jvp(i)) == 2
    assert acc.jvp(y) is None


def test_complex_numbers():
    z = tf.constant([1.0 + 2.0j])
    assert values(pushed(lambda z: z * z, z, tf.constant([1j]))) == [2j * (1 + 2j)]
    assert values(pushed(tf.math.conj, z, tf.constant([1j]))) == [-1j]
    assert values(pushed(tf.math.real, z, tf.constant([2 + 1j]))) == [2]


# -- jvp -------------------------------------------------------------------------------------------


def test_jvp_is_a_look_up(x):
    acc = Accumulator(x, tf.ones([2]))
    assert values(acc.jvp(x)) == [1, 1]
    with acc:
        y = x * x
        assert values(acc.jvp(y)) == [2, 4]
    assert values(acc.jvp([y, x])) == values(acc.jvp([y, x])) == [[2, 4], [1, 1]]


def test_what_is_not_known_has_none_or_zeros(x):
    acc = Accumulator(x, tf.ones([2]))
    other, i = tf.ones([3]), tf.constant([1, 2])
    assert acc.jvp([other, i]) == [None, None]
    for zero in ("zero", tf.UnconnectedGradients.ZERO):
        found = acc.jvp([other, i, x], zero)
        assert values(found) == [[0, 0, 0], [0, 0], [1, 1]]
        assert [t.dtype for t in found] == [tf.float32, tf.int32, tf.float32]


def test_jvp_refuses_what_it_does_not_know(x):
    acc = Accumulator(x, tf.ones([2]))
    with pytest.raises(ValueError, match="'bad'"):
        acc.jvp(x, "bad")
    with pytest.raises(AttributeError):
        acc.jvp(3.0)


# -- when ------------------------------------------------------------------------------------------


def test_only_what_runs_inside_counts(x):
    before = x * x
    acc = Accumulator(x, tf.ones([2]))
    between = x * x
    with acc:
        inside = x * x
        of_before = before * 2.0
    after = inside * 2.0
    assert acc.jvp([before, between, of_before, after]) == [None] * 4
    assert values(acc.jvp(inside)) == [2, 4]


def test_it_can_be_entered_again(x):
    acc = Accumulator(x, tf.ones([2]))
    with acc:
        y = x * x
    with acc:
        z = y * x
    assert values(acc.jvp(z)) == [3, 12]


def test_it_cannot_be_entered_twice(x):
    acc = Accumulator(x, tf.ones([2]))
    with acc, pytest.raises(ValueError, match="already recording"):
        acc.__enter__()
    with acc:
        y = x * x
    assert values(acc.jvp(y)) == [2, 4]
    assert not recorders.recording()


def test_an_exception_ends_it(x):
    acc = Accumulator(x, tf.ones([2]))
    with pytest.raises(ZeroDivisionError), acc:
        y = x * x
        1 // 0  # noqa: B018
    assert not recorders.recording()
    assert values(acc.jvp(y)) == [2, 4]
    with acc:
        assert values(acc.jvp(y * y)) == [4, 32]


def test_other_threads_are_not_followed(x):
    found = []
    with Accumulator(x, tf.ones([2])) as acc:
        thread = threading.Thread(target=lambda: found.append(x * x))
        thread.start()
        thread.join()
        mine = found[0] * x
    assert acc.jvp(found[0]) is None
    assert values(acc.jvp(mine)) == [1, 4]


def test_threads_have_accumulators_of_their_own():
    found = {}

    def work(k):
        x = tf.constant(float(k))
        for _ in range(200):
            found[k] = values(pushed(lambda x: x * x * x, x, tf.constant(1.0)))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: 3 * k * k for k in range(4)}


# -- variables -------------------------------------------------------------------------------------


def test_the_tangent_belongs_to_the_variable():
    v = tf.Variable(3.0)
    with Accumulator(v, tf.constant(2.0)) as acc:
        y = v * v
        v.assign(5.0)
        z = v * v
    assert values(acc.jvp([v, y, z])) == [2, 12, 20]


def test_a_variable_read_outside_has_none():
    v = tf.Variable(3.0)
    acc = Accumulator(v, tf.constant(2.0))
    read = v.value()
    with acc:
        y = read * 2.0
        again = v.read_value()
    assert acc.jvp([read, y]) == [None, None]
    assert values(acc.jvp(again)) == 2


def test_other_variables_are_constant():
    v, w = tf.Variable(3.0), tf.Variable(5.0)
    with Accumulator(v, tf.constant(1.0)) as acc:
        y = v * w
    assert values(acc.jvp(y)) == 5
    assert acc.jvp(w) is None


def test_variables_that_are_not_trainable_have_tangents_too():
    v = tf.Variable(3.0, trainable=False)
    with Accumulator(v, tf.constant(1.0)) as acc:
        y = v * v
    assert values(acc.jvp(y)) == 6


# -- ops with something special about them ---------------------------------------------------------


def test_what_has_no_gradient_has_no_tangent(x):
    with Accumulator(x, tf.ones([2])) as acc:
        found = [tf.stop_gradient(x), tf.argmax(x), tf.cast(x, tf.int32), x > 1.0]
        found += [tf.numpy_function(np.sin, [x], tf.float32), tf.floor(x)]
    assert acc.jvp(found) == [None] * 6


def test_an_op_without_a_gradient_says_so_at_once():
    image = tf.ones([2, 2, 3])
    with Accumulator(image, image), pytest.raises(LookupError, match="no entry"):
        tf.image.adjust_contrast(image, 2.0)


def test_looked_up_rows_have_dense_tangents():
    table = tf.Variable([[1.0], [2.0], [3.0]])
    with Accumulator(table, tf.constant([[10.0], [20.0], [30.0]])) as acc:
        y = tf.gather(table, [2, 0, 2])
    assert values(acc.jvp(y)) == [[30], [10], [30]]


def test_gradients_of_looked_up_rows():
    table = tf.Variable([[1.0], [2.0]])
    with Accumulator(table, tf.ones([2, 1])) as acc:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [1, 1]) ** 2)
        g = tf.convert_to_tensor(tape.gradient(y, table))
    assert values(acc.jvp(g)) == [[0], [4]]


def test_a_gradient_of_ones_own_is_transposed(x):
    @tf.custom_gradient
    def f(x, y):
        return x * 0.0 + y * 0.0, lambda g: (g * x, 10.0 * g)

    y = tf.constant([3.0, 4.0])
    with Accumulator([x, y], [tf.constant([1.0, 1.0]), tf.constant([0.5, 0.0])]) as acc:
        z = f(x, y)
    assert values(acc.jvp(z)) == [6, 2]


def test_an_overridden_gradient_is_transposed(x):
    with tf.override_gradient("Sin", lambda op, g: g * op.inputs[0]):
        assert values(pushed(tf.sin, x, tf.constant([1.0, 10.0]))) == [1, 20]


def test_recomputed_functions(x):
    f = tf.recompute_grad(lambda x: tf.exp(x) * x)
    expected = values(pushed(lambda x: tf.exp(x) * x, x, tf.ones([2])))
    np.testing.assert_allclose(values(pushed(f, x, tf.ones([2]))), expected, rtol=1e-6)


def test_several_results(x):
    with Accumulator(x, tf.constant([1.0, 10.0])) as acc:
        a, b = tf.unstack(x)
        top, places = tf.math.top_k(x, 1)
    assert values(acc.jvp([a, b, top])) == [1, 10, [10]]
    assert acc.jvp(places) is None


def test_empty_arrays_and_scalars():
    assert pushed(lambda x: x * x, tf.ones([0, 3]), tf.ones([0, 3])).shape == (0, 3)
    assert values(pushed(tf.reduce_sum, tf.ones([0, 3]), tf.ones([0, 3]))) == 0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_the_dtype_is_kept(dtype):
    x = tf.constant([0.5, 1.0], dtype)
    t = pushed(lambda x: tf.reduce_mean(tf.exp(x) / (x + 1)) * x, x, tf.ones_like(x))
    assert t.dtype == dtype


# -- memory ----------------------------------------------------------------------------------------


def test_the_tangent_of_a_tensor_that_is_dropped_goes():
    x = tf.ones([1000])
    with Accumulator(x, x) as acc:
        y = x * x
        tangent = weakref.ref(acc.jvp(y))
        assert len(acc._tangents.known) == 2
        del y
        assert tangent() is None
        assert len(acc._tangents.known) == 1


def test_a_long_loop_takes_no_more_memory_than_a_short_one():
    x = tf.ones([1000])
    gc.collect()
    gc.disable()
    try:
        with Accumulator(x, x) as acc:
            y = x
            for k in range(300):
                y = tf.sin(y) + x
                if k == 100:
                    tracemalloc.start()
                    tracemalloc.reset_peak()
            assert acc.jvp(y).shape == (1000,)
        assert tracemalloc.get_traced_memory()[1] < 100_000  # a tensor has 4 KB
    finally:
        tracemalloc.stop()
        gc.enable()


def test_no_cycles():
    gc.collect()
    gc.disable()
    try:
        x = tf.ones([3])
        with Accumulator(x, x) as acc:
            y = tf.sin(x)
        gone, tangent = weakref.ref(acc._tangents), weakref.ref(acc.jvp(y))
        del acc
        assert tangent() is None  # though x and y live on
        del x, y
        assert gone() is None
    finally:
        gc.enable()


# -- against reverse mode --------------------------------------------------------------------------


STEPS = [
    lambda x, y: x * y,
    lambda x, y: x + tf.sin(y),
    lambda x, y: x @ y,
    lambda x, y: tf.nn.softmax(x - y),
    lambda x, y: tf.transpose(x) * tf.reduce_mean(y, axis=0),
    lambda x, y: tf.where(x > y, tf.exp(-x * x), y),
    lambda x, y: tf.concat([x[1:], y[:1]], axis=0),
    lambda x, y: tf.gather(x, [2, 0, 0]) / (1.5 + tf.cos(y)),
    lambda x, y: tf.cumsum(x, axis=1) - tf.reduce_max(y),
    lambda x, y: tf.reverse(x, [0]) * tf.tanh(y),
]


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_agree_with_tapes(seed):
    rng = np.random.default_rng(seed)
    x = [tf.constant(rng.standard_normal((3, 3))) for _ in range(3)]
    v = [tf.constant(rng.standard_normal((3, 3))) for _ in x]
    w = tf.constant(rng.standard_normal((3, 3)))
    with tf.GradientTape() as tape, Accumulator(x, v) as acc:
        tape.watch(x)
        known = list(x)
        for step in rng.choice(len(STEPS), 12):
            known.append(tf.tanh(STEPS[step](known[-1], known[rng.integers(len(known))])))
        y = known[-1]
    gradients = tape.gradient(y, x, w, "zero")
    backwards = sum(float(tf.reduce_sum(g * t)) for g, t in zip(gradients, v, strict=True))
    assert float(tf.reduce_sum(w * acc.jvp(y, "zero"))) == pytest.approx(backwards, rel=1e-8)
