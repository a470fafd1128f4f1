"""tape.hessian, batch_hessian, hessian_diagonal, hvp; blocks and modes of Jacobians."""

import tracemalloc

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import hessian, values


def recorded(f, x, persistent=False):
    with tf.GradientTape(persistent) as tape:
        tape.watch(x)
        y = f(x)
    return tape, y


def wavy(x):
    return tf.reduce_sum(tf.sin(x) * tf.exp(x[..., ::-1]), axis=-1)


@pytest.fixture
def x():
    return tf.constant([0.3, -0.8, 1.2], tf.float64)


# -- hessian ---------------------------------------------------------------------------------------


def test_the_hessian_is_that_of_a_tape_in_a_tape(x):
    tape, y = recorded(wavy, x)
    h = tape.hessian(y, x).numpy()
    np.testing.assert_allclose(h, hessian(wavy, x), rtol=1e-12)
    np.testing.assert_array_equal(h, h.T)


def test_the_hessian_of_a_structure_is_a_structure_of_structures():
    p = {"a": tf.constant([1.0, 2.0]), "b": tf.Variable(3.0)}
    tape, y = recorded(lambda p: tf.reduce_sum(p["a"] ** 2) * p["b"] ** 2, p)
    assert values(tape.hessian(y, p)) == {
        "a": {"a": [[18, 0], [0, 18]], "b": [12, 24]},
        "b": {"a": [12, 24], "b": 10},
    }


@pytest.mark.parametrize("shape", [(), (2,), (2, 3), (0,), (1, 0, 2)])
def test_the_hessian_has_the_shape_of_the_source_twice(shape):
    tape, y = recorded(lambda x: tf.reduce_sum(x**3), tf.ones(shape))
    source = tf.ones(shape)
    tape, y = recorded(lambda x: tf.reduce_sum(x**3), source)
    h = tape.hessian(y, source)
    assert h.shape == shape * 2
    size = int(np.prod(shape))
    assert np.all(h.numpy().reshape(size, size) == 6 * np.eye(size))


def test_linear_and_unconnected_sources_have_zeros():
    a, b, c = tf.Variable([1.0, 2.0]), tf.Variable(3.0), tf.Variable([5.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(a) * 2.0 + b**2
    assert values(tape.hessian(y, [a, b, c])) == [
        [[[0, 0]] * 2, [0, 0], [[0]] * 2],
        [[0, 0], 2, [0]],
        [[[0, 0]], [0], [[0]]],
    ]


def test_looked_up_rows_are_counted_as_often_as_they_are_looked_up():
    table = tf.Variable([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [2, 2, 0]) ** 3)
    h = tape.hessian(y, table).numpy().reshape(3, 3)
    assert h.tolist() == [[6, 0, 0], [0, 0, 0], [0, 0, 36]]


def test_integers_have_zeros():
    i = tf.constant([1, 2])
    tape, y = recorded(lambda x: x**2 * tf.cast(tf.reduce_sum(i), tf.float32), tf.constant(2.0))
    h = tape.hessian(y, i)
    assert (h.dtype, values(h)) == (tf.int32, [[0, 0], [0, 0]])


def test_a_newton_step_finds_the_minimum_of_a_quadratic():
    a = tf.constant([[3.0, 1.0], [1.0, 2.0]], tf.float64)
    x = tf.Variable([5.0, -7.0], dtype=tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(x * tf.linalg.matvec(a, x)) / 2 - tf.reduce_sum(x)
    h, g = tape.hessian(y, x), tape.gradient(y, x)
    x.assign_sub(tf.linalg.solve(h, g[:, None])[:, 0])
    np.testing.assert_allclose(x.numpy(), np.linalg.solve(a.numpy(), [1.0, 1.0]), rtol=1e-12)


def test_only_a_scalar_has_a_hessian(x):
    for ask in ("hessian", "hessian_diagonal"):
        tape, y = recorded(tf.sin, x)
        with pytest.raises(ValueError, match="takes a scalar target"):
            getattr(tape, ask)(y, x)
    with pytest.raises(ValueError, match="takes a scalar target"):
        tape.hvp(y, x, x)
    assert tape.gradient(y, x) is not None, "a refusal does not use up the tape"


def test_it_uses_up_the_tape_unless_it_is_persistent(x):
    tape, y = recorded(wavy, x)
    tape.hessian(y, x)
    with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
        tape.hessian(y, x)
    tape, y = recorded(wavy, x, persistent=True)
    first, records = tape.hessian(y, x), len(tape._recorder)
    np.testing.assert_array_equal(tape.hessian(y, x).numpy(), first.numpy())
    assert len(tape._recorder) == records, "what it recorded for itself is forgotten"
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), gradient(wavy, x))


def gradient(f, x):
    tape, y = recorded(f, x)
    return tape.gradient(y, x).numpy()


def test_inside_of_the_context(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = wavy(x)
        h = tape.hessian(y, x)
    np.testing.assert_allclose(h.numpy(), hessian(wavy, x), rtol=1e-12)


def test_inside_of_the_context_of_a_persistent_tape(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = wavy(x)
        with pytest.warns(UserWarning, match="inside the context of a persistent tape"):
            h = tape.hessian(y, x)
    third = tape.jacobian(h, x).numpy()
    np.testing.assert_allclose(third, np.transpose(third, (2, 1, 0)), rtol=1e-10)
    assert np.abs(third).max() > 0.1


def test_a_hessian_can_be_differentiated(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        tape, y = recorded(lambda x: tf.reduce_sum(x**4), x)
        h = tape.hessian(y, x)
    found = outer.gradient(h, x).numpy()
    np.testing.assert_allclose(found, 24 * x.numpy(), rtol=1e-12)


def test_the_dtype_is_that_of_the_source():
    for dtype in (tf.float16, tf.bfloat16, tf.float32):
        source = tf.constant([1.0, 2.0], dtype)
        for ask in ("hessian", "hessian_diagonal"):
            tape, y = recorded(lambda x: tf.reduce_sum(tf.cast(x, tf.float64) ** 3), source)
            assert getattr(tape, ask)(y, source).dtype == dtype


# -- products, diagonals, batches ------------------------------------------------------------------


def test_a_product_is_the_hessian_times_the_vector(x):
    v = tf.constant([1.0, -2.0, 0.5], tf.float64)
    tape, y = recorded(wavy, x)
    found = tape.hvp(y, x, v).numpy()
    np.testing.assert_allclose(found, hessian(wavy, x) @ v.numpy(), rtol=1e-12)


def test_products_of_structures():
    a, b, c = tf.Variable(2.0), tf.Variable([3.0, 5.0]), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = a**2 * tf.reduce_sum(b)
    found = tape.hvp(
        y, {"a": a, "b": [b], "c": c}, {"a": 1.0, "b": [tf.constant([1.0, 0.0])], "c": 1.0}
    )
    assert values(found) == {"a": 16 + 4, "b": [[4, 4]], "c": 0}


def test_products_along_a_direction_are_what_an_accumulator_gives(x):
    v = tf.constant([1.0, -2.0, 0.5], tf.float64)
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        tape, y = recorded(wavy, x)
        g = tape.gradient(y, x)
    tape, y = recorded(wavy, x)
    np.testing.assert_allclose(tape.hvp(y, x, v).numpy(), acc.jvp(g).numpy(), rtol=1e-12)


def test_the_diagonal_is_that_of_the_hessian(x):
    tape, y = recorded(wavy, x)
    diagonal = tape.hessian_diagonal(y, x).numpy()
    np.testing.assert_allclose(diagonal, np.diag(hessian(wavy, x)), rtol=1e-12)


def test_diagonals_of_structures():
    a, b, c = tf.Variable([[1.0, 2.0]]), tf.Variable(3.0), tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(a**3) * b**2
    assert values(tape.hessian_diagonal(y, (a, b, c))) == ([[54, 108]], 18, 0)


def test_batches_have_a_hessian_for_each_sample():
    x = tf.constant([[0.3, -0.8, 1.2], [1.0, 2.0, -0.5]], tf.float64)
    tape, y = recorded(wavy, x)
    found = tape.batch_hessian(y, x).numpy()
    np.testing.assert_allclose(found, [hessian(wavy, sample) for sample in x], rtol=1e-12)


def test_batches_must_fit():
    x = tf.ones([3, 2])
    tape, y = recorded(wavy, x)
    for target, source in ((tf.reduce_sum(y), x), (y[:2], x), (y, tf.ones([3]))):
        with pytest.raises(ValueError, match="one number for each sample"):
            tape.batch_hessian(target, source)


# -- Jacobians by rows, by columns, in blocks ------------------------------------------------------


def layers(x):
    w = tf.constant(np.random.default_rng(0).standard_normal((x.shape[-1], 7)))
    return tf.tanh(x @ w) @ tf.transpose(w)


@pytest.mark.parametrize("shape", [(1, 2), (3, 4), (6, 1)])
def test_rows_and_columns_agree(shape):
    x = tf.constant(np.random.default_rng(1).standard_normal(shape))
    found = []
    for mode in ("reverse", "forward", "auto"):
        tape, y = recorded(layers, x)
        found.append(tape.jacobian(y, [x], mode=mode)[0].numpy())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(found[0], found[2], rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("block", [1, 2, 5, 11, 12, 100])
@pytest.mark.parametrize("ask", ["jacobian", "batch_jacobian"])
def test_blocks_of_every_size_agree(ask, block):
    x = tf.constant(np.random.default_rng(1).standard_normal((3, 4)))
    tape, y = recorded(layers, x)
    expected = getattr(tape, ask)(y, x).numpy()
    tape, y = recorded(layers, x)
    found = getattr(tape, ask)(y, x, parallel_iterations=block).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("block", [0, -1, 2.5, "2"])
def test_a_block_has_at_least_one_row(block):
    tape, y = recorded(layers, tf.ones([3, 4], tf.float64))
    with pytest.raises(ValueError, match="a whole number from 1 on"):
        tape.jacobian(y, y, parallel_iterations=block)


def test_the_bound_on_memory_holds():
    x = tf.constant(np.ones((200, 40)))
    w = tf.constant(np.random.default_rng(0).standard_normal((40, 60)))

    def peak(bound):
        before = tf.config.get_jacobian_memory()
        tf.config.set_jacobian_memory(bound)
        try:
            tape, y = recorded(lambda x: tf.reduce_sum(tf.tanh(x @ w), axis=0), x)
            tracemalloc.start()
            found = tape.jacobian(y, x, mode="reverse").numpy()
            return tracemalloc.get_traced_memory()[1] - 2 * found.nbytes, found
        finally:
            tracemalloc.stop()
            tf.config.set_jacobian_memory(before)

    (small, rows), (large, whole) = peak(1 << 20), peak(1 << 30)
    np.testing.assert_allclose(rows, whole, rtol=1e-12)
    assert small < 1 << 20 < large


def test_samples_that_interact_are_noticed():
    x = tf.constant(np.random.default_rng(0).standard_normal((4, 3)))
    apart = tf.nn.softmax
    joined = [
        lambda x: (x - tf.reduce_mean(x, 0)) / tf.math.reduce_std(x, 0),
        lambda x: tf.nn.softmax(x, axis=0),
        lambda x: tf.cumsum(x, axis=0),
    ]
    tape, y = recorded(apart, x)
    assert tape.batch_jacobian(y, x, check=True).shape == (4, 3, 3)
    for f in joined:
        tape, y = recorded(f, x)
        with pytest.raises(ValueError, match="the samples interact"):
            tape.batch_jacobian(y, x, check=True)


def test_derivatives_that_are_only_rounding_errors_are_no_sign_of_interaction():
    for seed in range(10):
        x = tf.constant(np.random.default_rng(seed).standard_normal((4, 3)))
        tape, y = recorded(lambda x: tf.reduce_sum(tf.nn.softmax(x), axis=-1, keepdims=True), x)
        np.testing.assert_allclose(tape.batch_jacobian(y, x, check=True).numpy(), 0, atol=1e-15)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_samples_that_are_not_there_do_not_interact(shape):
    x = tf.zeros(shape)
    tape, y = recorded(tf.square, x)
    assert tape.batch_jacobian(y, x, check=True).shape == (*shape, shape[1])


# -- programs of guides ----------------------------------------------------------------------------


def test_the_jacobian_of_a_layer_reduces_to_its_gradient():
    rng = np.random.default_rng(0)
    x, w = tf.constant(rng.standard_normal((7, 5))), tf.Variable(rng.standard_normal((5, 10)))
    with tf.GradientTape(persistent=True) as tape:
        y = tf.nn.sigmoid(x @ w)
    j = tape.jacobian(y, w)
    assert j.shape == (7, 10, 5, 10)
    summed = tf.reduce_sum(j, axis=[0, 1]).numpy()
    np.testing.assert_allclose(summed, tape.gradient(y, w).numpy(), rtol=1e-12)


def test_the_batch_jacobian_is_the_diagonal_of_the_full_one():
    rng = np.random.default_rng(0)
    x = tf.constant(rng.standard_normal((7, 5)))
    w = tf.constant(rng.standard_normal((5, 6)))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.nn.elu(x @ w)
    full, batch = tape.jacobian(y, x), tape.batch_jacobian(y, x)
    assert (full.shape, batch.shape) == ((7, 6, 7, 5), (7, 6, 5))
    np.testing.assert_allclose(np.einsum("bibj->bij", full.numpy()), batch.numpy(), rtol=1e-12)
    others = full.numpy().copy()
    others[np.arange(7), :, np.arange(7)] = 0
    assert not others.any()
