"""vectorized_map: all rows at once, and the same as one by one."""

import warnings

import numpy as np
import pytest

import cinta as tf
from tests.op_table import rows

X = np.array([[1.0, -2.0], [3.0, 0.5], [-0.25, 4.0]])
COUNT = 3


def one_by_one(fn, elems):
    """The results of calls for each slice, stacked."""
    count = len(tf.nest.flatten(elems)[0])
    found = [fn(tf.nest.map_structure(lambda x, i=i: x[i], elems)) for i in range(count)]
    return tf.nest.map_structure(lambda *parts: tf.stack(parts), *found)


def at_once(fn, elems):
    """The function of all slices; an error if it is called for each of them."""
    return tf.vectorized_map(fn, elems, fallback_to_while_loop=False)


def assert_same(found, wanted, loose=1.0):
    tf.nest.assert_same_structure(found, wanted)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        if one.dtype == tf.string:
            assert one.numpy().tolist() == other.numpy().tolist()
        else:
            tolerance = 1e-9 * loose
            np.testing.assert_allclose(one.numpy(), other.numpy(), tolerance, tolerance)


def stacked_inputs(row):
    """Three rows: the inputs of a row of the table, and others near them."""
    stacks = [np.stack([x] * COUNT) for x in row.inputs]
    for stack in stacks:
        if stack.dtype.kind == "f":
            stack *= (1 + 1e-3 * np.arange(COUNT)).reshape((COUNT,) + (1,) * (stack.ndim - 1))
    return [tf.constant(stack) for stack in stacks]


LOOKING = {"dropout", "sparse.add", "sparse.from_dense"}
"""Rows of the table that look at values, or set the seed."""


@pytest.mark.parametrize("row", rows(), ids=repr)
def test_every_op_gives_for_all_rows_what_it_gives_for_each(row):
    def value_and_gradient(args):
        sources = [x for x in args if x.dtype.is_floating or x.dtype.is_complex]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            value = tf.nest.flatten(row.function(*args))
            targets = [y for y in value if y.dtype.is_floating or y.dtype.is_complex]
        slopes = tape.gradient(targets, sources, unconnected_gradients="zero")
        return value, [tf.convert_to_tensor(slope) for slope in slopes]

    elems = stacked_inputs(row)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = tf.vectorized_map(value_and_gradient, elems)
    by_row = [str(x.message) for x in told if "one by one" in str(x.message)]
    assert not by_row or row.name in LOOKING, by_row
    assert_same(found, one_by_one(value_and_gradient, elems), row.loose)


# -- the ways of single ops ------------------------------------------------------------------------

TABLE, IMAGES = np.arange(24.0).reshape(2, 3, 4), np.linspace(-1, 1, 96).reshape(3, 1, 4, 4, 2)
PLACES = np.array([[0, 2], [1, 1], [2, 0]])
FILTER = tf.constant(np.linspace(-1, 1, 36).reshape(3, 3, 2, 2))


@pytest.mark.parametrize(
    ("fn", "elems"),
    [
        (lambda i: tf.gather(TABLE, i, axis=1), PLACES),
        (lambda i: tf.gather(TABLE[0], i), PLACES),
        (lambda p: tf.gather(p[0], p[1], axis=0), (X[:, :, None] * [1.0, 2.0, 3.0], PLACES % 2)),
        (lambda p: tf.gather(p[0], p[1], axis=1), (np.stack([TABLE, TABLE + 1, -TABLE]), PLACES)),
        (lambda p: p[0][p[1][0]], (np.stack([TABLE[0]] * 3), PLACES)),
        (lambda i: tf.one_hot(i, 3), PLACES),
        (lambda image: tf.nn.conv2d(image, FILTER, 1, "SAME"), IMAGES),
        (lambda x: tf.concat([x, [7.0]], 0), X),
        (lambda x: tf.stack([x, tf.zeros_like(x)], axis=1), X),
        (lambda x: x[None] + tf.ones([4, 1], tf.float64), X),
        (lambda x: tf.reshape(tf.ones([2, 3, 2], tf.float64) * x, [3, -1]), X),
        (lambda x: tf.linalg.solve(tf.eye(2, dtype=tf.float64) * 3.0, x[:, None]), X),
        (lambda x: tf.nn.l2_loss(x), X),
        (lambda x: (x, {"sum": tf.reduce_sum(x), "one": 1}, None), X),
    ],
)
def test_ops_with_rows_in_some_inputs(fn, elems):
    elems = tf.nest.map_structure(tf.constant, elems)
    found = at_once(fn, elems)
    count = len(tf.nest.flatten(elems)[0])
    for i in range(count):
        wanted = fn(tf.nest.map_structure(lambda x, i=i: x[i], elems))
        for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
            if other is None:
                assert one is None
            else:
                np.testing.assert_allclose(one[i].numpy(), np.asarray(other), rtol=1e-12)


# -- gradients -------------------------------------------------------------------------------------


def network():
    draw = np.random.default_rng(5).standard_normal
    w, b = tf.Variable(draw((2, 4))), tf.Variable(draw(4))

    def loss(row):
        hidden = tf.nn.relu(row[None] @ w + b)
        return tf.reduce_mean(
            tf.nn.sparse_softmax_cross_entropy_with_logits(tf.constant([1]), hidden)
        )

    return loss, [w, b]


def test_gradients_for_each_example():
    loss, variables = network()
    calls = []

    def gradients(row):
        calls.append(row)
        with tf.GradientTape() as tape:
            value = loss(row)
        return tape.gradient(value, variables)

    x = tf.constant(X)
    found = at_once(gradients, x)
    assert len(calls) == 1
    assert_same(found, one_by_one(gradients, x))


def test_tapes_outside_see_what_happens_inside():
    loss, variables = network()
    scale = tf.constant(2.0, tf.float64)

    def penalty(mapped):
        x = tf.constant(X)
        with tf.GradientTape() as outer:
            outer.watch([x, scale])

            def norm(row):
                with tf.GradientTape() as tape:
                    value = loss(row) * scale
                return tf.add_n([tf.reduce_sum(g**2) for g in tape.gradient(value, variables)])

            total = tf.reduce_sum(mapped(norm, x))
        return [total, outer.gradient(total, [x, scale, *variables])]

    assert_same(penalty(at_once), penalty(one_by_one))


def test_a_gradient_function_of_the_users_is_asked_for_each_row():
    @tf.custom_gradient
    def doubled(x):
        return 2 * x, lambda g: g * tf.reduce_sum(x)

    def slope(mapped):
        x = tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = mapped(doubled, x)
        return tape.gradient(y, x)

    assert_same(slope(at_once), slope(one_by_one))


def test_rows_of_a_jacobian():
    x = tf.constant(X[0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x) * tf.reduce_sum(x)
    found = at_once(lambda seed: tape.gradient(y, x, seed), tf.eye(2, dtype=tf.float64))
    assert_same(found, tape.jacobian(y, x))


def test_one_inside_another():
    w = tf.constant([[1.0, 2.0], [3.0, -1.0]], tf.float64)

    def nested(mapped):
        def of_row(row):
            return mapped(lambda x: tf.reduce_sum(w @ (x * row)[:, None]), row)

        return mapped(of_row, tf.constant(X))

    assert_same(nested(at_once), nested(one_by_one))


# -- functions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("jit_compile", [False, True])
def test_in_a_function_all_rows_are_one_step_each(jit_compile):
    if jit_compile:
        pytest.importorskip("jax")
    loss, variables = network()

    def gradients(row):
        with tf.GradientTape() as tape:
            value = loss(row)
        return tape.gradient(value, variables)

    f = tf.function(lambda x: at_once(gradients, x), jit_compile=jit_compile)
    for scale in 1.0, 2.0, -1.0:
        variables[0].assign(variables[0] * 1.5)
        assert_same(f(tf.constant(scale * X)), one_by_one(gradients, tf.constant(scale * X)))
    assert f.experimental_get_tracing_count() == 1
    assert len([*f.recording(tf.constant(X)).calls]) < 40


def test_looks_of_python_are_guards_for_all_rows():
    @tf.function
    def f(x):
        return tf.vectorized_map(lambda row: row if row[0] > 0 else -row, x, warn=False)

    positive, mixed = np.abs(X), X
    for x in positive, 2 * positive, mixed, -positive, positive:
        wanted = np.where(x[:, :1] > 0, x, -x)
        np.testing.assert_array_equal(f(tf.constant(x)).numpy(), wanted)


# -- calls that cannot be made at once -------------------------------------------------------------


def test_python_that_goes_another_way_for_each_row():
    def signed(row):
        return row if row[0] > 0 else -row

    with pytest.warns(UserWarning, match="one by one: Python looks at a value"):
        found = tf.vectorized_map(signed, tf.constant(X))
    np.testing.assert_array_equal(found.numpy(), np.where(X[:, :1] > 0, X, -X))
    with pytest.raises(ValueError, match="cannot take all slices at once: Python looks"):
        at_once(signed, tf.constant(X))
    assert at_once(signed, tf.constant(np.abs(X))).numpy().tolist() == np.abs(X).tolist()


@pytest.mark.parametrize("wrap", [lambda f: f, tf.function])
def test_assignments_happen_for_each_row(wrap):
    total = tf.Variable(0.0, dtype=tf.float64)

    @wrap
    def run(x):
        return tf.vectorized_map(lambda row: total.assign_add(row[0]) * 1.0, x, warn=False)

    for times in 1, 2, 3:
        sums = run(tf.constant(X)).numpy()
        before = (times - 1) * X[:, 0].sum()
        np.testing.assert_allclose(sums, before + np.cumsum(X[:, 0]))
    assert total.numpy() == pytest.approx(3 * X[:, 0].sum())


def test_an_error_in_one_row_is_the_error_of_that_row():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 5 is not in \[0, 2\)"
    ):
        tf.vectorized_map(
            lambda i: tf.gather([1.0, 2.0], i), tf.constant([[0], [5], [1]]), warn=False
        )


def test_results_of_other_shapes_are_refused_as_in_a_loop():
    x = tf.constant([[1, 1], [1, 2]])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.vectorized_map(lambda row: tf.unique(row)[0], x, warn=False)
    alike = tf.constant([[1, 2, 1], [4, 3, 3]])
    found = at_once(lambda row: tf.unique(row)[0], alike)
    assert found.numpy().tolist() == [[1, 2], [4, 3]]


# -- effects ---------------------------------------------------------------------------------------


def test_every_row_has_random_numbers_of_its_own():
    f = tf.function(lambda x: at_once(lambda row: row + tf.random.normal([2], seed=3), x))
    drawn = [f(tf.zeros([4, 2])).numpy() for _ in range(3)]
    assert len(np.unique(np.concatenate(drawn))) == 24


def test_every_row_is_printed_once(capsys):
    f = tf.function(lambda x: at_once(lambda n: tf.print(n), x))
    f(tf.constant([1, 2, 3]))
    assert capsys.readouterr().err.split() == ["1", "2", "3"]
    f(tf.constant([4, 5, 6]))
    assert capsys.readouterr().err.split() == ["4", "5", "6"]


def test_functions_of_python_are_called_for_each_row():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = at_once(lambda n: tf.py_function(lambda t: t * t, [n], tf.float32), x)
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0, 6.0]
    assert at_once(
        lambda n: tf.numpy_function(lambda a: a + 1, [n], tf.float32), x
    ).numpy().tolist() == [2.0, 3.0, 4.0]


class Scaled(tf.experimental.ExtensionType):
    values: tf.Tensor
    scale: tf.Tensor


def test_extension_types_go_in_and_out():
    given = Scaled(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([2.0, 3.0]))

    def double(row):
        return {"twice": Scaled(row.values * row.scale, 2.0 * row.scale)}

    for run in (tf.vectorized_map, tf.function(tf.vectorized_map)):
        found = run(double, given)["twice"]
        assert isinstance(found, Scaled)
        assert found.values.numpy().tolist() == [[2.0, 4.0], [9.0, 12.0]]
        assert found.scale.numpy().tolist() == [4.0, 6.0]
    none = Scaled(tf.zeros([0, 2]), tf.zeros([0]))
    assert tf.vectorized_map(double, none)["twice"].values.shape == [0, 2]
