"""GradientTape.jacobian and batch_jacobian."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import values


@pytest.fixture
def x():
    return tf.constant([1.0, 2.0])


@pytest.fixture
def batch():
    return tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def recorded(f, x, persistent=False):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = f(x)
    return tape, y


def jacobian_of(f, x, **kwargs):
    tape, y = recorded(f, x)
    return tape.jacobian(y, x, **kwargs)


# -- jacobian --------------------------------------------------------------------------------------


def test_holds_the_derivative_of_every_element_by_every_element(x):
    j = jacobian_of(lambda x: tf.stack([x[0] * x[1], x[0], x[1] ** 2]), x)
    assert values(j) == [[2, 1], [1, 0], [0, 4]]


@pytest.mark.parametrize("target", [(), (2,), (3, 2), (1, 0, 2)])
@pytest.mark.parametrize("source", [(), (2,), (3, 2), (0, 2)])
def test_has_the_shape_of_the_target_and_then_that_of_the_source(target, source):
    j = jacobian_of(lambda x: tf.ones(target) * tf.reduce_sum(x), tf.ones(source))
    assert j.shape == target + source
    assert np.all(j.numpy() == 1)


def test_sources_may_be_a_structure():
    a, b = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = a * b
    found = tape.jacobian(y, {"a": [a], "b": b})
    assert values(found["a"][0]) == [[3, 0], [0, 3]]
    assert values(found["b"]) == [1, 2]
    assert tape.jacobian(y, []) == []


def test_the_target_may_be_a_variable_and_the_source_itself(x):
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        v.value()
        x * 1.0
    assert values(tape.jacobian(x, x)) == values(tape.jacobian(v, v)) == [[1, 0], [0, 1]]


def test_is_dense_where_gradients_are_slices():
    table = tf.Variable([[1.0], [2.0], [3.0]])
    with tf.GradientTape() as tape:
        y = tf.gather(table, [2, 2, 0])
    j = tape.jacobian(y, table)
    assert isinstance(j, tf.Tensor)
    assert values(j[:, 0, :, 0]) == [[0, 0, 1], [0, 0, 1], [1, 0, 0]]


def test_without_a_connection_there_is_none(x):
    other = tf.constant([1.0, 2.0, 3.0])
    tape, y = recorded(lambda x: x * x, x)
    assert tape.jacobian(y, [other]) == [None]
    tape, y = recorded(lambda x: x * x, x)
    assert values(tape.jacobian(y, other, unconnected_gradients="zero")) == [[0] * 3] * 2


def test_integers_have_none(x):
    i = tf.constant([1, 2])
    tape, y = recorded(lambda x: tf.cast(x, tf.int32), x, persistent=True)
    assert tape.jacobian(y, x) is None
    assert tape.jacobian(i, i) is None
    assert tape.jacobian(x * 1.0, i) is None


@pytest.mark.parametrize("target", [["list"], None, 3.0])
def test_the_target_is_one_tensor(x, target):
    tape, _ = recorded(lambda x: x * x, x)
    with pytest.raises(AttributeError, match="no attribute 'shape'"):
        tape.jacobian(target, x)


def test_no_source_is_refused(x):
    tape, y = recorded(lambda x: x * x, x)
    with pytest.raises(TypeError, match="type_value"):
        tape.jacobian(y, None)


def test_other_values_of_unconnected_gradients_are_refused_and_the_tape_survives(x):
    tape, y = recorded(lambda x: x * x, x)
    with pytest.raises(ValueError):  # noqa: PT011 - TensorFlow's message is about its compiler
        tape.jacobian(y, x, unconnected_gradients="foo")
    assert values(tape.jacobian(y, x)) == [[2, 0], [0, 4]]


def test_uses_up_the_tape(x):
    tape, y = recorded(lambda x: x * x, x)
    tape.jacobian(y, x)
    with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
        tape.jacobian(y, x)


def test_without_pfor_the_tape_must_be_persistent(x):
    with pytest.raises(RuntimeError, match="must be created with persistent=True to compute the"):
        jacobian_of(lambda x: x * x, x, experimental_use_pfor=False)
    tape, y = recorded(lambda x: x * x, x, persistent=True)
    assert values(tape.jacobian(y, x, experimental_use_pfor=False)) == [[2, 0], [0, 4]]


def test_has_no_output_gradients(x):
    with pytest.raises(TypeError):
        jacobian_of(lambda x: x * x, x, output_gradients=x)


def test_may_be_taken_in_the_context(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert values(tape.jacobian(y, x)) == [[2, 0], [0, 4]]


def test_the_hessian_is_the_jacobian_of_the_gradient(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x[0] ** 2 * x[1] ** 3
        g = inner.gradient(y, x)
    assert values(outer.jacobian(g, x)) == [[16, 24], [24, 12]]


def test_a_jacobian_has_a_jacobian(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        j = inner.jacobian(y, x)
    again = outer.jacobian(j, x)
    assert again.shape == (2, 2, 2)
    assert [again.numpy()[i, i, i] for i in range(2)] == [6, 12]
    assert again.numpy().sum() == 18


def test_complex_jacobians_follow_the_convention_of_gradients():
    z = tf.constant([1.0 + 2.0j, 3.0 - 1.0j])
    j = jacobian_of(lambda z: z * z, z)
    assert values(j) == [[2 - 4j, 0], [0, 6 + 2j]]


def test_keeps_the_dtype():
    for dtype in (tf.float16, tf.float64):
        assert jacobian_of(lambda x: x * x, tf.ones([2], dtype)).dtype == dtype


# -- batch_jacobian --------------------------------------------------------------------------------


def test_a_batch_jacobian_has_one_jacobian_for_each_sample(batch):
    tape, y = recorded(lambda x: tf.stack([x[:, 0] * x[:, 1], x[:, 2] ** 2], axis=1), batch)
    j = tape.batch_jacobian(y, batch)
    assert values(j) == [[[2, 1, 0], [0, 0, 6]], [[5, 4, 0], [0, 0, 12]]]


def test_a_batch_jacobian_is_the_diagonal_of_the_jacobian(batch):
    tape, y = recorded(lambda x: tf.reshape(x, [2, 3, 1]) * x[:, None, :], batch, persistent=True)
    full = tape.jacobian(y, batch).numpy()
    j = tape.batch_jacobian(y, batch)
    assert j.shape == (2, 3, 3, 3)
    assert np.all(j.numpy() == [full[i, :, :, i] for i in range(2)])


def test_a_batch_without_connection_gives_zeros(batch):
    tape, _ = recorded(lambda x: x * x, batch)
    other = tf.ones([2, 1])
    assert values(tape.batch_jacobian(other, batch)) == [[[0] * 3]] * 2


@pytest.mark.parametrize(
    ("target", "source", "error"),
    [
        ([1.0, 2.0], [[1.0], [2.0]], ValueError),
        ([[1.0], [2.0]], [1.0, 2.0], ValueError),
        ([[1.0], [2.0]], [[1.0, 2.0]], ValueError),
        (1.0, [[1.0], [2.0]], IndexError),
    ],
)
def test_samples_must_match(batch, target, source, error):
    tape, y = recorded(lambda x: x * x, batch)
    with pytest.raises(error):
        tape.batch_jacobian(tf.constant(target), tf.constant(source))
    assert tape.batch_jacobian(y, batch).shape == (2, 3, 3)


@pytest.mark.parametrize("wrong", [None, ["list"]])
def test_batch_jacobians_take_one_target_and_one_source(batch, wrong):
    tape, y = recorded(lambda x: x * x, batch, persistent=True)
    for arguments in ((wrong, batch), (y, wrong)):
        with pytest.raises(AttributeError, match="shape"):
            tape.batch_jacobian(*arguments)


def test_a_batch_jacobian_can_be_differentiated(batch):
    with tf.GradientTape() as outer:
        outer.watch(batch)
        with tf.GradientTape() as inner:
            inner.watch(batch)
            y = batch**3
        j = inner.batch_jacobian(y, batch)
    assert values(outer.gradient(j, batch)) == (6 * batch.numpy()).tolist()


def test_a_batch_jacobian_uses_up_the_tape(batch):
    tape, y = recorded(lambda x: x * x, batch)
    tape.batch_jacobian(y, batch)
    with pytest.raises(RuntimeError, match="can only be used to compute one set of gradients"):
        tape.batch_jacobian(y, batch)


def test_without_pfor_a_batch_jacobian_needs_a_persistent_tape(batch):
    tape, y = recorded(lambda x: x * x, batch)
    with pytest.raises(RuntimeError, match="must be created with persistent=True to compute the"):
        tape.batch_jacobian(y, batch, experimental_use_pfor=False)
